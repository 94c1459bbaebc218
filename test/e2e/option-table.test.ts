import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missingOptions } from '../../src/backends/cli/arguments.js';
import type { Settings } from '../../src/config/settings.js';
import { sessionOptions } from '../../src/core/options/index.js';
import type { OptionSpec } from '../../src/core/options/define.js';
import { createArgvLog } from '../kit/argv-log.js';
import { shared, startBackstage, type AtEnd } from '../kit/fixture.js';
import type { Sandbox } from '../kit/sandbox.js';
import { connectServer } from '../kit/server-client.js';
import { readTranscript, rowsFor, type Evidence, type Row } from './option-rows.js';
import { trials, type TrialScene } from './option-trials.js';

const specs: Readonly<Record<string, OptionSpec>> = sessionOptions;

async function startLoggedScene(
  env: (sandbox: Sandbox) => Record<string, string> = () => ({}),
  atEnd: AtEnd = onTestFinished,
): Promise<TrialScene> {
  const { model, sandbox } = await startBackstage(atEnd);
  const log = createArgvLog(join(sandbox.root, 'wrapper'));
  const server = await connectServer({
    sandbox,
    model,
    era: 'modern',
    env: { CLAUDE_CODE_PATH: log.executable, ...env(sandbox) },
  });
  atEnd(() => server.close());
  return { server, model, sandbox, log };
}

function writeSkills({ configDir }: Sandbox, names: readonly string[]): void {
  for (const name of names) {
    const folder = join(configDir, 'skills', name);
    mkdirSync(folder, { recursive: true });
    const words = `---\nname: ${name}\ndescription: SKILL OF THE ${name.toUpperCase()}\n---\nFly.`;
    writeFileSync(join(folder, 'SKILL.md'), words);
  }
}

async function lookAt(
  { server, model, sandbox, log }: TrialScene,
  args: Record<string, unknown>,
): Promise<Evidence> {
  const { json } = await server.call('claude_code', { prompt: 'hello', waitMs: 20_000, ...args });
  const { sessionId } = json;
  const request = await model.request((one) => one.sessionId === sessionId);
  const transcript = readTranscript(sandbox, sessionId);
  const { mcpServers = {} } = JSON.parse(log.mcpConfigOf(sessionId)) as Partial<Pick<Evidence, 'mcpServers'>>;
  return { argv: log.argvOf(sessionId), request, transcript, mcpServers, sandbox };
}

/** The values as claude_code takes them: at the top, or in `advanced`. */
function toArguments(rows: Readonly<Record<string, Row>>): Record<string, unknown> {
  const entries = Object.entries(rows).map(([key, { value }]) => [key, value] as const);
  const isTop = ([key]: readonly [string, unknown]): boolean => specs[key]?.place === 'top';
  return {
    ...Object.fromEntries(entries.filter(isTop)),
    advanced: Object.fromEntries(entries.filter((entry) => !isTop(entry))),
  };
}

/** Together they are refused where nothing holds what was allowed in advance within plan mode. */
const planRows = ['permissionMode', 'planModeInstructions'];
const unaskedRows = ['allowedTools'];

type Backend = Exclude<Settings['backend'], 'auto'>;
const missing: Readonly<Record<Backend, readonly string[]>> = { 'agent-sdk': [], cli: missingOptions };

it('has a row for every option', async () => {
  const { sandbox } = await startBackstage();

  const tested = [...Object.keys(rowsFor(sandbox)), ...Object.keys(trials)];

  expect(tested.toSorted()).toEqual(Object.keys(sessionOptions).toSorted());
});

describe.each(Object.entries(missing))('every option of the %s backend', (backend, lacking) => {
  const env = { CLAUDE_CODE_MCP_BACKEND: backend };
  const share = shared((atEnd) => startLoggedScene(() => env, atEnd));

  it('that shows in the arguments, the request or the transcript is there, and only when it was asked for', async () => {
    const scene = await startLoggedScene(({ root }) => ({ CLAUDE_CODE_MCP_TRUSTED_ROOTS: root, ...env }));
    const rows = without(rowsFor(scene.sandbox), lacking);
    mkdirSync(join(scene.sandbox.root, 'nest'));
    writeSkills(scene.sandbox, ['heron', 'osprey']);

    const plain = await lookAt(scene, {});
    const [unasked, planned] = await Promise.all([
      lookAt(scene, toArguments(without(rows, planRows))),
      lookAt(scene, toArguments(without(rows, unaskedRows))),
    ]);

    for (const [key, { seen, expected }] of Object.entries(rows)) {
      expect(seen(planRows.includes(key) ? planned : unasked), key).toEqual(expected);
      expect(seen(plain), `${key}, not asked for`).not.toEqual(expected);
    }
  });

  it.each(Object.entries(trials))(
    'that shows in what happens makes it happen, or is refused: %s',
    async (_, tryIt) => {
      await tryIt(share());
    },
  );

  it('that the backend has declared it lacks is refused by name', async () => {
    const scene = share();
    const before = scene.log.launches().length;
    const rows: Readonly<Record<string, Row>> = rowsFor(scene.sandbox);

    const answers = await Promise.all(
      lacking.map((key) =>
        scene.server.call('claude_code', { prompt: 'hello', advanced: { [key]: rows[key]?.value } }),
      ),
    );

    expect(answers.map(({ text }) => text)).toEqual(
      lacking.map((key) => expect.stringMatching(new RegExp(`^Error \\[INVALID_ARGUMENT\\]: .*${key}`))),
    );
    expect(scene.log.launches()).toHaveLength(before);
  });
});

function without(
  rows: Readonly<Record<string, Row>>,
  keys: readonly string[],
): Readonly<Record<string, Row>> {
  return Object.fromEntries(Object.entries(rows).filter(([key]) => !keys.includes(key)));
}
