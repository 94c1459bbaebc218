/** The scripts of a soak, and the sessions as they should be. */
import { AssertionError } from 'node:assert';
import type { AnswerJson } from '../kit/answer-json.js';
import { createGate, type Gate } from '../kit/gate.js';
import { apiError, gate, repeat, text, tool, type ScriptStep } from '../kit/model-steps.js';
import type { ModelRequest } from '../kit/model-request.js';
import type { ServerClient, ToolReply } from '../kit/server-client.js';
import type { ScriptedModel } from '../kit/scripted-model.js';
import type { Random } from './random.js';

/** What a real server and one in this process have in common. */
export interface SoakScene {
  readonly server: Pick<ServerClient, 'call'>;
  readonly model: Pick<ScriptedModel, 'when'>;
  readonly project: string;
}

export type Kind = 'talk' | 'fail' | 'hold' | 'write';

/** A prompt that no other turn has, so that its answer cannot be taken for another. */
export interface Task {
  readonly prompt: string;
  readonly answer: string;
}

/** A session between two operations: at rest. */
export interface SoakSession {
  readonly id: string;
  readonly firstPrompt: string;
  turn: number;
  costUsd: number;
  cursor: number;
  isCancelled: boolean;
}

const waitMs = 30_000;

export class SoakWorld {
  readonly random: Random;
  readonly #scene: SoakScene;
  readonly #held = new Map<string, Gate>();
  #tasks = 0;
  operations = 0;
  sessions = 0;

  constructor(scene: SoakScene, random: Random) {
    this.#scene = scene;
    this.random = random;
    const answer = ({ promptText }: ModelRequest) => text(answerTo(promptText));
    const scripts: Record<Kind, readonly ScriptStep[]> = {
      talk: [answer],
      // Claude Code retries most other errors.
      fail: [repeat(apiError(403, 'permission_error', 'No.'))],
      hold: [
        ({ promptText }) => {
          const held = createGate();
          this.#held.set(answerTo(promptText), held);
          return gate(held, tool('Bash', { command: 'true' }));
        },
        answer,
      ],
      write: [
        ({ promptText }) =>
          tool('Write', { file_path: `${scene.project}/${numberOf(promptText)}.txt`, content: 'x' }),
        answer,
      ],
    };
    for (const [kind, steps] of Object.entries(scripts)) scene.model.when(`${kind} #`, steps);
  }

  task(kind: Kind): Task {
    this.#tasks += 1;
    const prompt = `${kind} #${this.#tasks}.`;
    return { prompt, answer: answerTo(prompt) };
  }

  /** Waits until the model works on a held task, and lets it continue when the returned function is called. */
  async held({ answer }: Task): Promise<() => void> {
    for (;;) {
      const held = this.#held.get(answer);
      this.#held.delete(answer);
      if (held !== undefined) return () => held.open();
      await new Promise<void>((resolve) => void setTimeout(resolve, 5));
    }
  }

  call(name: string, args: Record<string, unknown>): Promise<ToolReply> {
    return this.#scene.server.call(name, args);
  }

  async start(): Promise<SoakSession> {
    this.sessions += 1;
    const task = this.task('talk');
    const { json } = await this.call('claude_code', {
      prompt: task.prompt,
      cwd: this.#scene.project,
      allowedTools: ['Bash'],
      waitMs,
    });
    const session = {
      id: json.sessionId,
      firstPrompt: task.prompt,
      turn: 0,
      costUsd: 0,
      cursor: 0,
      isCancelled: false,
    };
    this.ended(session, await this.rest(session, json), { answer: task.answer });
    return session;
  }

  async drop(session: SoakSession): Promise<void> {
    await this.call('claude_code_session', { action: 'cancel', sessionId: session.id });
  }

  reply(session: SoakSession, task: Task, args: Record<string, unknown> = {}): Promise<ToolReply> {
    return this.call('claude_code_reply', { sessionId: session.id, prompt: task.prompt, waitMs, ...args });
  }

  /** Follows the session until no turn runs. */
  async rest(session: SoakSession, from: AnswerJson): Promise<AnswerJson> {
    let latest = from;
    for (let tries = 0; latest.status === 'running' && tries < 20; tries += 1)
      latest = (await this.call('claude_code_check', { sessionId: session.id, waitMs })).json;
    return latest;
  }

  /** The session rests after `turns` more turns, and the last one ended like this. */
  ended(
    session: SoakSession,
    { status, result }: AnswerJson,
    { outcome = 'completed', answer, turns = 1 }: { outcome?: string; answer?: string; turns?: number },
  ): void {
    session.turn += turns;
    agree(
      { status, outcome: result?.outcome, turn: result?.turn, answer: answer && result?.result },
      { status: outcome === 'failed' ? 'error' : 'idle', outcome, turn: session.turn, answer },
    );
    session.costUsd = Math.max(session.costUsd, result?.sessionTotalCostUsd ?? 0);
  }
}

export function agree(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  const message = `expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`;
  throw new AssertionError({ message, actual, expected });
}

function answerTo(prompt: string): string {
  return `answer ${numberOf(prompt)}`;
}

function numberOf(prompt: string): string {
  return /#(\d+)\./.exec(prompt)?.[1] ?? '';
}
