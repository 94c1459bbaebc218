/** The moments of a session at which something is killed. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stall, repeat, text, tool } from '../kit/model-steps.js';
import type { Sandbox } from '../kit/sandbox.js';
import type { ScriptedModel } from '../kit/scripted-model.js';
import { until } from '../kit/until.js';
import type { Witness } from './witness.js';

export interface Stage {
  readonly witness: Witness;
  readonly model: ScriptedModel;
  readonly sandbox: Sandbox;
}

/**
 * What may have become of the latest turn. `unknown`: the caller never learned that the session exists. `unbegun`: the
 * prompt never reached it.
 */
export type End = 'unknown' | 'unbegun' | 'cut' | 'completed' | 'interrupted' | 'cancelled';

export interface Phase {
  readonly name: string;
  readonly ends: readonly End[];
  /** The kill comes at a random moment up to this long after the phase is reached. */
  readonly maxDelayMs: number;
  readonly reach: (stage: Stage) => Promise<void>;
}

/** The first turn of nearly every scene. It ends before anything is killed. */
export const opening = { prompt: 'say hello', answer: 'Hello from the first turn.' };
/** The second turn. The kill hits it, or comes right after it. */
export const work = { prompt: 'do the work', answer: 'The work is done.' };
const queuedPrompts = ['then sweep the floor', 'then lock the door'] as const;
/** Each command that runs leaves a line. */
export const traces = 'ran.txt';

const waitMs = 20_000;
const journalLimit = 512 * 1024;
const trace = `echo ran >> ${traces}`;

const open = async ({ witness, model }: Stage, args: Record<string, unknown> = {}): Promise<void> => {
  model.when(opening.prompt, [text(opening.answer)]);
  await witness.start(opening.prompt, { waitMs, ...args });
  witness.follow();
};

const allowed = { allowedTools: ['Bash'] };

async function runTool(stage: Stage, command: string, sign: string): Promise<void> {
  stage.model.when(work.prompt, [tool('Bash', { command }), text(work.answer)]);
  await open(stage, allowed);
  await stage.witness.reply(work.prompt);
  await until('the tool runs', () => stage.sandbox.processes().some(({ command: line }) => line === sign));
}

/** Stops inside the first model call of the second turn. */
async function stallAtWork(stage: Stage): Promise<void> {
  stage.model.when(work.prompt, [stall()]);
  await open(stage);
  await stage.witness.reply(work.prompt);
  await stage.model.request(({ promptText }) => promptText.includes(work.prompt));
}

async function askForPermission(stage: Stage): Promise<string> {
  stage.model.when(work.prompt, [tool('Bash', { command: trace }), text(work.answer)]);
  await open(stage);
  await stage.witness.reply(work.prompt, { waitMs });
  const [requestId] = stage.witness.open;
  if (requestId === undefined) throw new Error(`No permission is open: ${stage.witness.status}`);
  return requestId;
}

async function finishWork(stage: Stage): Promise<void> {
  stage.model.when(work.prompt, [text(work.answer)]);
  await open(stage);
  await stage.witness.reply(work.prompt, { waitMs });
}

/** Makes the journal of the session so long that the server compacts it at the end of the next turn. */
function inflateJournal({ witness, sandbox }: Stage): void {
  const path = join(sandbox.stateDir, 'sessions', `${witness.sessionId}.jsonl`);
  const { spent: _spent, ...last } = JSON.parse(
    readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '{}',
  ) as Record<string, unknown>;
  // Saying the same again changes nothing.
  const line = `${JSON.stringify(last)}\n`;
  appendFileSync(path, line.repeat(Math.ceil(journalLimit / line.length)));
}

export const phases: readonly Phase[] = [
  {
    name: 'starting',
    ends: ['unknown', 'cut', 'completed'],
    maxDelayMs: 700,
    reach: async ({ witness, model }) => {
      model.when(work.prompt, [text(work.answer)]);
      void witness.start(work.prompt);
    },
  },
  { name: 'model call in flight', ends: ['cut'], maxDelayMs: 200, reach: stallAtWork },
  {
    name: 'streaming text',
    ends: ['cut'],
    maxDelayMs: 500,
    reach: async (stage) => {
      stage.model.when(work.prompt, [text('word '.repeat(500), { deltas: 500, delayMs: 20 })]);
      await open(stage);
      await stage.witness.reply(work.prompt);
      await stage.model.request(({ promptText }) => promptText.includes(work.prompt));
    },
  },
  {
    name: 'many calls in a row',
    ends: ['cut'],
    maxDelayMs: 500,
    reach: async (stage) => {
      stage.model.when(work.prompt, [repeat(tool('Bash', { command: 'true' }))]);
      await open(stage, allowed);
      await stage.witness.reply(work.prompt);
      await stage.model.request(({ promptText }) => promptText.includes(work.prompt));
    },
  },
  {
    name: 'tool running',
    ends: ['cut'],
    maxDelayMs: 200,
    // Claude Code refuses a bare `sleep`.
    reach: (stage) => runTool(stage, `${trace}; env sleep 301`, 'sleep 301'),
  },
  {
    name: 'stubborn tool running',
    ends: ['cut'],
    maxDelayMs: 200,
    reach: (stage) =>
      runTool(stage, `trap "" TERM INT HUP; ${trace}; while true; do env sleep 302; done`, 'sleep 302'),
  },
  {
    name: 'tool in a session of its own',
    ends: ['cut'],
    maxDelayMs: 200,
    reach: (stage) => runTool(stage, `${trace}; setsid sh -c "trap '' TERM; env sleep 303"`, 'sleep 303'),
  },
  {
    name: 'waiting for permission',
    ends: ['cut'],
    maxDelayMs: 200,
    reach: async (stage) => void (await askForPermission(stage)),
  },
  {
    name: 'answer just given',
    ends: ['cut', 'completed'],
    maxDelayMs: 120,
    reach: async (stage) => {
      const requestId = await askForPermission(stage);
      void stage.witness.respond(requestId, 'allow');
    },
  },
  {
    name: 'prompts queued',
    ends: ['cut'],
    maxDelayMs: 60,
    reach: async (stage) => {
      await stallAtWork(stage);
      for (const prompt of queuedPrompts) await stage.witness.queue(prompt);
    },
  },
  {
    name: 'steering',
    ends: ['cut'],
    maxDelayMs: 60,
    reach: async (stage) => {
      await stallAtWork(stage);
      void stage.witness.reply('and be quick', { whenBusy: 'steer' });
    },
  },
  {
    name: 'background task running',
    ends: ['completed'],
    maxDelayMs: 200,
    reach: async (stage) => {
      const input = { command: `${trace}; env sleep 304`, run_in_background: true };
      stage.model.when(work.prompt, [tool('Bash', input), text(work.answer)]);
      await open(stage, allowed);
      await stage.witness.reply(work.prompt, { waitMs });
    },
  },
  { name: 'idle', ends: ['completed'], maxDelayMs: 500, reach: finishWork },
  {
    name: 'cancelling',
    ends: ['cut', 'cancelled'],
    maxDelayMs: 400,
    reach: async (stage) => {
      await stallAtWork(stage);
      void stage.witness.cancel();
    },
  },
  {
    name: 'interrupting',
    ends: ['cut', 'interrupted'],
    maxDelayMs: 100,
    reach: async (stage) => {
      await stallAtWork(stage);
      void stage.witness.session('interrupt');
    },
  },
  { name: 'turn just ended', ends: ['completed'], maxDelayMs: 20, reach: finishWork },
  {
    name: 'turn about to end',
    ends: ['unbegun', 'cut', 'completed'],
    maxDelayMs: 250,
    reach: async (stage) => {
      stage.model.when(work.prompt, [text(work.answer)]);
      await open(stage);
      void stage.witness.reply(work.prompt, { waitMs });
    },
  },
  {
    name: 'journal compacted',
    ends: ['unbegun', 'cut', 'completed'],
    maxDelayMs: 250,
    reach: async (stage) => {
      stage.model.when(work.prompt, [text(work.answer)]);
      await open(stage);
      inflateJournal(stage);
      void stage.witness.reply(work.prompt, { waitMs });
    },
  },
];
