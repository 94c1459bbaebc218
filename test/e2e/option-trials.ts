import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import type { sessionOptions } from '../../src/core/options/index.js';
import { valueOf, type ArgvLog } from '../kit/argv-log.js';
import type { Scene } from '../kit/fixture.js';
import { stall, streamThenHang, text, tool } from '../kit/model-steps.js';
import type { ServerClient, ToolReply } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';
import { readTranscript, type rowsFor } from './option-rows.js';

export type TrialScene = Scene & { readonly log: ArgvLog };
type TriedKey = Exclude<keyof typeof sessionOptions, keyof ReturnType<typeof rowsFor>>;

/** Options that show in what happens, not in what is sent: each with what happens without it. */
export const trials: Readonly<Record<TriedKey, (scene: TrialScene) => Promise<void>>> = {
  async slashCommands({ server, model, sandbox }) {
    sandbox.trustFolder(sandbox.project);
    mkdirSync(join(sandbox.project, '.claude', 'commands'), { recursive: true });
    const command = '---\ndescription: mends\n---\nMend the nest';
    writeFileSync(join(sandbox.project, '.claude', 'commands', 'fix.md'), command);
    const untrusted = join(sandbox.root, 'untrusted');
    mkdirSync(untrusted);

    const [on, off] = await Promise.all([
      start(server, '/fix', { slashCommands: true }),
      start(server, '/fix', {}),
    ]);
    const refused = await start(server, '/fix', { slashCommands: true }, { cwd: untrusted });

    expect(JSON.stringify(model.requests(on.json.sessionId)[0]?.body)).toContain('Mend the nest');
    expect(JSON.stringify(model.requests(off.json.sessionId)[0]?.body)).not.toContain('Mend the nest');
    expect(refused.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: slashCommands .*CLAUDE_CODE_MCP_TRUSTED_ROOTS/,
    );
  },

  async permissionRequestTimeoutMs({ server, model }) {
    model.when('touch', [tool('Bash', { command: 'touch a' }), text('done')]);

    const [short, usual] = await Promise.all([
      start(server, 'touch', {}, { permissionRequestTimeoutMs: 20_000 }),
      start(server, 'touch', {}),
    ]);

    const left = [short, usual].map(
      ({ json }) => Date.parse(json.actions?.[0]?.expiresAt ?? '') - Date.now(),
    );
    expect(left[0]).toBeLessThanOrEqual(20_000);
    expect(left[1]).toBeGreaterThan(200_000);
  },

  async timeoutMs({ server, model }) {
    model.when('wait', [stall()]);

    const { json } = await start(server, 'wait', { timeoutMs: 700 });

    expect(json).toMatchObject({ status: 'error', result: { errorSubtype: 'time_limit' } });
  },

  async sessionInitTimeoutMs({ server, model }) {
    const tooShort = await start(server, 'much too soon', { sessionInitTimeoutMs: 100 });
    const longer = await start(server, 'soon enough', { sessionInitTimeoutMs: 20_000 });

    expect(tooShort.text).toMatch(/^Error \[TIMEOUT\]: Claude Code was not ready within 100 ms/);
    expect(longer.json.status).toBe('idle');
    expect(model.requests().filter(({ promptText }) => promptText.includes('too soon'))).toEqual([]);
  },

  async outputFormat({ server, model }) {
    const schema = { type: 'object', properties: { bird: { type: 'string' } }, required: ['bird'] };
    const outputFormat = { type: 'json_schema', schema };
    model.when('which bird', [tool('StructuredOutput', { bird: 'heron' }), text('there')]);
    model.when('any bird', [text('a heron'), text('a heron, I say')]);

    const [followed, ignored] = await Promise.all([
      start(server, 'which bird', { outputFormat }),
      start(server, 'any bird', { outputFormat }),
    ]);
    const invalid = await start(server, 'which bird', {
      outputFormat: { type: 'json_schema', schema: { type: 'bird' } },
    });

    const [request] = model.requests(followed.json.sessionId);
    expect(request?.body.tools?.find(({ name }) => name === 'StructuredOutput')).toMatchObject({
      input_schema: schema,
    });
    expect(followed.json).toMatchObject({
      status: 'idle',
      result: { isError: false, structuredOutput: { bird: 'heron' } },
    });
    expect(ignored.json).toMatchObject({ status: 'error', result: { isError: true, outcome: 'failed' } });
    expect(invalid.text).toMatch(/^Error \[INVALID_ARGUMENT\]: outputFormat\.schema\.type must be one of/);
  },

  async includePartialMessages({ server, model }) {
    model.when('tell', [streamThenHang('Once there was a heron in the marsh')]);

    const [partial, whole] = await Promise.all([
      start(server, 'tell', { includePartialMessages: true }, { waitMs: 0 }),
      start(server, 'tell', {}, { waitMs: 0 }),
    ]);
    const activity = await activityOf(server, partial.json.sessionId, 'heron');
    const other = await server.call('claude_code_check', { sessionId: whole.json.sessionId, waitMs: 0 });

    expect(activity).toMatch(/^writes: ….*heron/);
    expect(other.json.activity ?? '').not.toContain('heron');
  },

  async forwardSubagentText({ server, model }) {
    model.when('ask the birder', [
      tool('Agent', {
        description: 'look',
        prompt: 'look for birds',
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
      text('over'),
    ]);
    model.when('look for birds', [text('I SEE A HERON')]);

    const answers = await Promise.all([
      start(server, 'ask the birder', { forwardSubagentText: true }),
      start(server, 'ask the birder', {}),
    ]);
    const told = await Promise.all(answers.map(({ json }) => agentTexts(server, json.sessionId)));

    expect(told).toEqual([['I SEE A HERON'], []]);
  },

  async env({ server, model }) {
    model.when('show', [tool('Bash', { command: 'echo "[$TZ]"' }, { id: 'toolu_show' }), text('shown')]);

    const { json } = await start(server, 'show', { env: { TZ: 'Asia/Tokyo' } }, { allowedTools: ['Bash'] });

    const last = model.requests(json.sessionId).at(-1);
    expect(last && toolResultText(last, 'toolu_show')).toContain('[Asia/Tokyo]');
  },

  async sandbox({ server, log }) {
    const { json } = await start(server, 'hello', {
      sandbox: { enabled: true, network: { deniedDomains: ['birds.example'] } },
    });

    // Never quietly none: where there is no sandbox, there is no turn.
    expect(json.status).toBe(hasSandbox() ? 'idle' : 'error');
    expect(JSON.parse(valueOf(log.argvOf(json.sessionId), 'settings') ?? '')).toMatchObject({
      sandbox: {
        enabled: true,
        failIfUnavailable: true,
        autoAllowBashIfSandboxed: false,
        allowUnsandboxedCommands: false,
        network: { deniedDomains: ['birds.example'] },
      },
    });
  },

  async persistSession({ server, sandbox, log }) {
    const [kept, forgotten] = await Promise.all([
      start(server, 'hello', { persistSession: true }),
      start(server, 'hello', { persistSession: false }),
    ]);

    expect(readTranscript(sandbox, kept.json.sessionId)).toContain('hello');
    expect(readTranscript(sandbox, forgotten.json.sessionId)).toBe('');
    expect(log.argvOf(forgotten.json.sessionId)).toContain('--no-session-persistence');
  },

  pathToClaudeCodeExecutable: ({ server, sandbox }) =>
    isRefused(server, 'pathToClaudeCodeExecutable', join(sandbox.root, 'claude')),
  debug: ({ server }) => isRefused(server, 'debug', true),
  async debugFile({ server, sandbox }) {
    const file = join(sandbox.root, 'debug.log');

    await isRefused(server, 'debugFile', file);

    expect(existsSync(file)).toBe(false);
  },
};

function hasSandbox(): boolean {
  if (process.platform === 'darwin') return true;
  const isHere = (name: string): boolean =>
    (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
  return isHere('bwrap') && isHere('socat');
}

export function start(
  server: ServerClient,
  prompt: string,
  advanced: Record<string, unknown>,
  top: Record<string, unknown> = {},
): Promise<ToolReply> {
  return server.call('claude_code', { prompt, waitMs: 20_000, advanced, ...top });
}

/** Only the operator can let a caller have it; what happens then is another test. */
async function isRefused(server: ServerClient, option: string, value: unknown): Promise<void> {
  const { text: answer } = await start(server, 'hello', { [option]: value });

  expect(answer).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_CALLER_TRUST=full/);
  expect(answer).toContain(`${option}`);
}

async function activityOf(server: ServerClient, sessionId: string, words: string): Promise<string> {
  // The words of a moment are no event: they are only there for whoever looks.
  for (let tries = 0; tries < 5_000; tries += 1) {
    const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
    if (json.activity?.includes(words) === true) return json.activity;
  }
  throw new Error(`The activity never showed ${words}`);
}

async function agentTexts(server: ServerClient, sessionId: string): Promise<(string | undefined)[]> {
  const { json } = await server.call('claude_code_check', { sessionId, cursor: 0, include: ['events'] });
  return (json.events ?? [])
    .filter((event) => event.type === 'text' && 'agent' in event)
    .map((event) => event.text);
}
