import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionOptions } from '../../src/core/options/index.js';
import type { OptionSpec } from '../../src/core/options/define.js';
import { createArgvLog, type LoggedLaunch } from '../kit/argv-log.js';
import { shared, startBackstage, type AtEnd } from '../kit/fixture.js';
import type { Sandbox } from '../kit/sandbox.js';
import { connectServer } from '../kit/server-client.js';
import { readTranscript, rowsFor, type Evidence, type Row } from './option-rows.js';
import { onOptions, start, trials, type TrialScene } from './option-trials.js';

type Options = Readonly<Record<string, unknown>>;

const specs: Readonly<Record<string, OptionSpec>> = sessionOptions;

/** A server with the two sessions on which options are tried. */
async function startLoggedScene(env: Record<string, string>, atEnd: AtEnd): Promise<TrialScene> {
  const { model, sandbox } = await startBackstage(atEnd);
  const log = createArgvLog(join(sandbox.root, 'wrapper'));
  const server = await connectServer({
    sandbox,
    model,
    era: 'modern',
    env: { CLAUDE_CODE_PATH: log.executable, ...env },
  });
  atEnd(() => server.close());
  const nest = join(sandbox.root, 'nest');
  mkdirSync(nest);
  sandbox.trustFolder(sandbox.project);
  sandbox.trustFolder(nest);
  writeSkills(sandbox, ['heron', 'osprey']);
  const [on, off] = await Promise.all([
    start(server, 'hello', onOptions, { allowedTools: ['Bash'] }),
    start(server, 'hello', {}),
  ]);
  return { server, model, sandbox, log, on: on.json.sessionId, off: off.json.sessionId };
}

function writeSkills({ configDir }: Sandbox, names: readonly string[]): void {
  for (const name of names) {
    const folder = join(configDir, 'skills', name);
    mkdirSync(folder, { recursive: true });
    const words = `---\nname: ${name}\ndescription: SKILL OF THE ${name.toUpperCase()}\n---\nFly.`;
    writeFileSync(join(folder, 'SKILL.md'), words);
  }
}

function lookAt({ model, sandbox, log }: TrialScene, sessionId: string, launch?: LoggedLaunch): Evidence {
  const request = model.requests(sessionId).at(-1);
  if (request === undefined) throw new Error(`The model was never asked in session ${sessionId}.`);
  const transcript = readTranscript(sandbox, sessionId);
  const config = JSON.parse(log.mcpConfigOf(sessionId, launch)) as Partial<Pick<Evidence, 'mcpServers'>>;
  const { mcpServers = {} } = config;
  return { argv: log.argvOf(sessionId, launch), request, transcript, mcpServers, sandbox };
}

async function startWith({ server }: TrialScene, options: Options): Promise<string> {
  const { json } = await server.call('claude_code', { prompt: 'hello', waitMs: 20_000, ...placed(options) });
  return json.sessionId;
}

/** Continues the session, or a fork of it, with these options. */
async function replyWith(
  { server }: TrialScene,
  sessionId: string,
  diskResumeConfig: Options,
  { forkSession = false } = {},
): Promise<string> {
  const asked = { sessionId, prompt: 'hello again', waitMs: 20_000, forkSession, diskResumeConfig };
  const { json } = await server.call('claude_code_reply', asked);
  return json.sessionId;
}

/** The options as claude_code takes them: at the top, or in `advanced`. */
function placed(options: Options): Options {
  const isTop = ([key]: readonly [string, unknown]): boolean => specs[key]?.place === 'top';
  return {
    ...Object.fromEntries(Object.entries(options).filter(isTop)),
    advanced: Object.fromEntries(Object.entries(options).filter((entry) => !isTop(entry))),
  };
}

/** What the last request of a session contains apart from the conversation. */
function frameOf({ model }: TrialScene, sessionId: string) {
  const { body, headers } = model.requests(sessionId).at(-1) ?? {};
  return {
    model: body?.model,
    // The first block names the version and changes with every request.
    system: Array.isArray(body?.system) ? body.system.slice(1).map((block) => block.text) : [],
    tools: body?.tools?.map(({ name }) => name).toSorted(),
    thinking: body?.['thinking'],
    output: body?.['output_config'],
    betas: String(headers?.['anthropic-beta']).split(',').toSorted(),
  };
}

const zoo = { zoo: { description: 'Lives in the zoo', prompt: 'You are a heron.', tools: ['Read'] } };

/** By default, Claude Code records their effect at the start, and then ignores changes. */
const recordedOptions: readonly Options[] = [
  { systemPrompt: 'You are an owl.' },
  { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be kind.' } },
  { agents: zoo, agent: 'zoo' },
  { tools: ['Read', 'Bash'] },
];
const unset = { systemPrompt: null, agents: null, agent: null, tools: null };

/** Together they are refused where nothing holds what was allowed in advance within plan mode. */
const planRows = ['permissionMode', 'planModeInstructions'];
const preApprovedRows = ['allowedTools'];

describe.each(['agent-sdk', 'cli'])('every option of the %s backend', (backend) => {
  const env = { CLAUDE_CODE_MCP_BACKEND: backend };
  const share = shared((atEnd) => startLoggedScene(env, atEnd));

  it('that shows in the arguments, the request or the transcript is there, and only when it was asked for', async () => {
    const scene = share();
    const rows = rowsFor(scene.sandbox);

    const [preApproved, planned] = await Promise.all(
      [planRows, preApprovedRows].map((keys) => startWith(scene, valuesWithout(rows, keys))),
    );

    const plain = lookAt(scene, scene.off);
    for (const [key, { seen, expected }] of Object.entries(rows)) {
      const evidence = lookAt(scene, String(planRows.includes(key) ? planned : preApproved));
      expect(seen(evidence), key).toEqual(expected);
      expect(seen(plain), `${key}, not asked for`).not.toEqual(expected);
    }
  });

  it('has the same effect when a reply sets it', async () => {
    const scene = share();
    // The folder is fixed, and the cost of the first turn reduces the budget.
    const { cwd: _folder, maxBudgetUsd: _budget, ...rows } = rowsFor(scene.sandbox);
    const preApproved = valuesWithout(rows, planRows);
    const planned = valuesWithout(rows, preApprovedRows);
    // A list of skills would stay in the conversation.
    const bare = { skills: [] };
    const [started = '', replied = '', replanned = ''] = await Promise.all(
      [preApproved, bare, bare].map((options) => startWith(scene, options)),
    );

    await Promise.all([replyWith(scene, replied, preApproved), replyWith(scene, replanned, planned)]);

    for (const [key, { seen, expected }] of Object.entries(rows)) {
      const sessionId = planRows.includes(key) ? replanned : replied;
      expect(seen(lookAt(scene, sessionId, 'resume')), key).toEqual(expected);
    }
    expect(frameOf(scene, replied)).toEqual(frameOf(scene, started));
  });

  it('that Claude Code would record reaches the model from a reply and in a fork, until it is unset', async () => {
    const scene = share();
    const ids = await Promise.all([{}, ...recordedOptions].map((options) => startWith(scene, options)));
    const [replied = '', first = ''] = ids;
    const [plain, ...atStart] = ids.map((id) => frameOf(scene, id));

    const inReplies = [];
    for (const options of recordedOptions) {
      await replyWith(scene, replied, { ...unset, ...options });
      inReplies.push(frameOf(scene, replied));
    }
    const [forked] = await Promise.all([
      replyWith(scene, replied, { ...unset, ...recordedOptions[0] }, { forkSession: true }),
      replyWith(scene, first, unset),
    ]);

    expect(inReplies).toEqual(atStart);
    expect(frameOf(scene, forked)).toEqual(atStart[0]);
    expect(frameOf(scene, first)).toEqual(plain);
  });

  it.each(Object.entries(trials))(
    'that shows in what happens makes it happen, or is refused: %s',
    async (_, tryIt) => {
      await tryIt(share());
    },
  );
});

function valuesWithout(rows: Readonly<Record<string, Row>>, keys: readonly string[]): Options {
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([key]) => !keys.includes(key))
      .map(([key, { value }]) => [key, value]),
  );
}
