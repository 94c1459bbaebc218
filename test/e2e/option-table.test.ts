import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionOptions } from '../../src/core/options/index.js';
import type { OptionSpec } from '../../src/core/options/define.js';
import { createArgvLog } from '../kit/argv-log.js';
import { shared, startBackstage, type AtEnd } from '../kit/fixture.js';
import type { Sandbox } from '../kit/sandbox.js';
import { connectServer } from '../kit/server-client.js';
import { readTranscript, rowsFor, type Evidence, type Row } from './option-rows.js';
import { onOptions, start, trials, type TrialScene } from './option-trials.js';

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

async function lookAt({ model, sandbox, log }: TrialScene, sessionId: string): Promise<Evidence> {
  const request = await model.request((one) => one.sessionId === sessionId);
  const transcript = readTranscript(sandbox, sessionId);
  const { mcpServers = {} } = JSON.parse(log.mcpConfigOf(sessionId)) as Partial<Pick<Evidence, 'mcpServers'>>;
  return { argv: log.argvOf(sessionId), request, transcript, mcpServers, sandbox };
}

async function lookAtNew(scene: TrialScene, args: Record<string, unknown>): Promise<Evidence> {
  const { json } = await scene.server.call('claude_code', { prompt: 'hello', waitMs: 20_000, ...args });
  return lookAt(scene, json.sessionId);
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
const preApprovedRows = ['allowedTools'];

describe.each(['agent-sdk', 'cli'])('every option of the %s backend', (backend) => {
  const env = { CLAUDE_CODE_MCP_BACKEND: backend };
  const share = shared((atEnd) => startLoggedScene(env, atEnd));

  it('that shows in the arguments, the request or the transcript is there, and only when it was asked for', async () => {
    const scene = share();
    const rows = rowsFor(scene.sandbox);

    const [plain, preApproved, planned] = await Promise.all([
      lookAt(scene, scene.off),
      lookAtNew(scene, toArguments(without(rows, planRows))),
      lookAtNew(scene, toArguments(without(rows, preApprovedRows))),
    ]);

    for (const [key, { seen, expected }] of Object.entries(rows)) {
      expect(seen(planRows.includes(key) ? planned : preApproved), key).toEqual(expected);
      expect(seen(plain), `${key}, not asked for`).not.toEqual(expected);
    }
  });

  it.each(Object.entries(trials))(
    'that shows in what happens makes it happen, or is refused: %s',
    async (_, tryIt) => {
      await tryIt(share());
    },
  );
});

function without(
  rows: Readonly<Record<string, Row>>,
  keys: readonly string[],
): Readonly<Record<string, Row>> {
  return Object.fromEntries(Object.entries(rows).filter(([key]) => !keys.includes(key)));
}
