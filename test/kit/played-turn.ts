/** One turn of the played Claude Code. */
import { setImmediate as aMoment } from 'node:timers/promises';
import type { MessageStep, ScriptStep, Step, Usage } from './model-steps.js';
import type { PlayedSession, Prompt } from './played-claude.js';
import type { ToolUse } from './played-rules.js';
import { DEFAULT_USAGE } from './sse.js';

/** Thrown through everything that an interrupt ends. */
export class Interrupted extends Error {}

/** One prompt until its result. */
export class Turn {
  readonly #session: PlayedSession;
  readonly #prompts: Prompt[];
  readonly #denials: object[] = [];
  #usage: Usage = { input: 0, output: 0 };

  constructor(session: PlayedSession, prompt: Prompt) {
    this.#session = session;
    this.#prompts = [prompt];
  }

  async play(signal: AbortSignal): Promise<void> {
    const [prompt] = this.#prompts;
    if (prompt !== undefined) this.#session.begin(prompt);
    let rounds = 0;
    const result = await this.#rounds(signal, () => (rounds += 1)).catch((error: unknown) => {
      if (!(error instanceof Interrupted)) throw error;
      return interrupted;
    });
    this.#session.end(this.#prompts, this.#usage, {
      num_turns: rounds,
      permission_denials: this.#denials,
      ...result,
    });
  }

  /** Resolves with what the result says. */
  async #rounds(signal: AbortSignal, count: () => number): Promise<object> {
    for (;;) {
      const number = count();
      if (number > this.#session.maxTurns) return { ...failed, terminal_reason: 'max_turns' };
      await aMoment();
      const step = await this.#nextStep(signal);
      if (step.kind === 'api-error') return apiFailure(step);
      if (step.kind !== 'message') throw new Error(`The played Claude Code has no ${step.kind}`);
      const { input, output } = step.usage ?? DEFAULT_USAGE;
      this.#usage = { input: this.#usage.input + input, output: this.#usage.output + output };
      const calls = this.#session.speak(step);
      if (this.#session.isSpent(this.#usage)) return { ...failed, terminal_reason: 'budget_exhausted' };
      if (step.ending === 'hang') await untilAborted(signal);
      if (calls.length === 0) return { result: wordsOf(step) };
      // All of them are asked for at once.
      const results = await Promise.allSettled(
        calls.map(({ id, ...call }) => this.#result(id, call, signal)),
      );
      this.#session.hear(
        results.map((result, index) =>
          result.status === 'fulfilled' ? result.value : rejected(calls[index]?.id ?? ''),
        ),
      );
      if (results.some(({ status }) => status === 'rejected')) throw new Interrupted();
      for (const steering of this.#session.takeSteering()) {
        this.#session.fold(steering);
        this.#prompts.push(steering);
      }
    }
  }

  async #nextStep(signal: AbortSignal): Promise<Step> {
    let end: (how: 'answered' | 'aborted') => void = () => undefined;
    const ended = new Promise<'answered' | 'aborted'>((resolve) => (end = resolve));
    try {
      const step = await this.#resolve(this.#session.ask(ended), signal);
      end('answered');
      return step;
    } catch (error) {
      end('aborted');
      throw error;
    }
  }

  async #resolve(script: ScriptStep, signal: AbortSignal): Promise<Step> {
    const request = this.#session.lastRequest();
    const step = typeof script !== 'function' || request === undefined ? script : await script(request);
    if (signal.aborted) throw new Interrupted();
    if (typeof step === 'function') return this.#resolve(step, signal);
    if (step.kind === 'stall') return untilAborted(signal);
    if (step.kind === 'repeat') return this.#resolve(step.step, signal);
    if (step.kind !== 'gate') return step;
    step.gate.arrive();
    await Promise.race([step.gate.opened, untilAborted(signal)]);
    return this.#resolve(step.step, signal);
  }

  async #result(id: string, call: ToolUse, signal: AbortSignal): Promise<object> {
    const { text, isError, isDenied } = await this.#session.use(id, call, signal);
    if (isDenied === true)
      this.#denials.push({ tool_name: call.name, tool_use_id: id, tool_input: call.input });
    return { type: 'tool_result', tool_use_id: id, content: text, ...(isError ? { is_error: true } : {}) };
  }
}

const failed = { subtype: 'error_during_execution', is_error: true, stop_reason: null };
const interrupted = { ...failed, terminal_reason: 'aborted_streaming', errors: ['[ede_diagnostic] aborted'] };

function apiFailure({ status, message }: Extract<Step, { kind: 'api-error' }>): object {
  const result = `API Error: ${status} ${message}`;
  return { is_error: true, api_error_status: status, terminal_reason: 'api_error', result };
}

function rejected(id: string): object {
  const content = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  return { type: 'tool_result', tool_use_id: id, content, is_error: true };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => reject(new Interrupted());
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

function wordsOf({ blocks }: MessageStep): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
