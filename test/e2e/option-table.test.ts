import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sessionOptions } from '../../src/core/options/index.js';
import type { OptionSpec } from '../../src/core/options/define.js';
import { createArgvLog } from '../kit/argv-log.js';
import { startBackstage } from '../kit/fixture.js';
import type { Sandbox } from '../kit/sandbox.js';
import { connectServer } from '../kit/server-client.js';
import { readTranscript, rowsFor, type Evidence, type Row } from './option-rows.js';
import { trials, type TrialScene } from './option-trials.js';

const specs: Readonly<Record<string, OptionSpec>> = sessionOptions;

const backends: readonly { readonly backend: string; readonly cannot: readonly string[] }[] = [
  { backend: 'agent-sdk', cannot: [] },
  // Two have no flag, and nothing is allowed in advance in plan mode, which is another row.
  { backend: 'cli', cannot: ['skills', 'enableFileCheckpointing', 'allowedTools'] },
];

async function startLoggedScene(
  backend: string,
  env: (sandbox: Sandbox) => Record<string, string> = () => ({}),
): Promise<TrialScene> {
  const { model, sandbox } = await startBackstage();
  const log = createArgvLog(join(sandbox.root, 'wrapper'));
  const server = await connectServer({
    sandbox,
    model,
    era: 'modern',
    env: { CLAUDE_CODE_PATH: log.executable, CLAUDE_CODE_MCP_BACKEND: backend, ...env(sandbox) },
  });
  onTestFinished(() => server.close());
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
  return { argv: log.argvOf(sessionId), request, transcript, sandbox };
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

describe('every option', () => {
  it('has a row in these tables', async () => {
    const { sandbox } = await startBackstage();

    const tested = [...Object.keys(rowsFor(sandbox)), ...Object.keys(trials)];

    expect(tested.toSorted()).toEqual(Object.keys(sessionOptions).toSorted());
  });
});

describe.each(backends)('every option with the $backend backend', ({ backend, cannot }) => {
  it('that shows in the arguments, the request or the transcript is there, and only when it was asked for', async () => {
    const scene = await startLoggedScene(backend, ({ root }) => ({ CLAUDE_CODE_MCP_TRUSTED_ROOTS: root }));
    const rows: Readonly<Record<string, Row>> = Object.fromEntries(
      Object.entries(rowsFor(scene.sandbox)).filter(([key]) => !cannot.includes(key)),
    );
    mkdirSync(join(scene.sandbox.root, 'nest'));
    writeSkills(scene.sandbox, ['heron', 'osprey']);

    const [plain, chosen] = await Promise.all([lookAt(scene, {}), lookAt(scene, toArguments(rows))]);

    for (const [key, { seen, expected }] of Object.entries(rows)) {
      expect(seen(chosen), key).toEqual(expected);
      expect(seen(plain), `${key}, not asked for`).not.toEqual(expected);
    }
  });

  it.each(Object.entries(trials))(
    'that shows in what happens makes it happen, or is refused: %s',
    async (_, tryIt) => {
      await tryIt(await startLoggedScene(backend));
    },
  );
});
