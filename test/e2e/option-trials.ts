import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import type { sessionOptions } from '../../src/core/options/index.js';
import { valueOf, type ArgvLog } from '../kit/argv-log.js';
import type { Scene } from '../kit/fixture.js';
import { streamThenHang, text, tool } from '../kit/model-steps.js';
import type { ServerClient, ToolReply } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';
import { readTranscript, type rowsFor } from './option-rows.js';
import type { ownTrials } from './own-option-trials.js';

export type TrialScene = Scene & {
  readonly log: ArgvLog;
  /** A session with all options that are tried on it, and one without any. */
  readonly on: string;
  readonly off: string;
};

export const onOptions = {
  sessionInitTimeoutMs: 20_000,
  includePartialMessages: true,
  forwardSubagentText: true,
  env: { TZ: 'Asia/Tokyo' },
  persistSession: false,
};

type Keys = ReturnType<typeof rowsFor> & typeof ownTrials;
type TriedKey = Exclude<keyof typeof sessionOptions, keyof Keys>;

/** Options that show in what happens, not in what is sent: each with what happens without it. */
export const trials: Readonly<Record<TriedKey, (scene: TrialScene) => Promise<void>>> = {
  async sessionInitTimeoutMs({ server, model, on }) {
    const tooShort = await start(server, 'much too soon', { sessionInitTimeoutMs: 100 });

    expect(tooShort.text).toMatch(/^Error \[TIMEOUT\]: Claude Code was not ready within 100 ms/);
    expect(model.requests(on)).not.toEqual([]);
    expect(model.requests().filter(({ promptText }) => promptText.includes('too soon'))).toEqual([]);
  },

  async outputFormat({ server, model }) {
    const schema = { type: 'object', properties: { bird: { type: 'string' } }, required: ['bird'] };
    const outputFormat = { type: 'json_schema', schema };
    model.when('which bird', [tool('StructuredOutput', { bird: 'heron' }), text('there')]);
    model.when('any bird', [text('a heron'), text('a heron, I say')]);

    const followed = await start(server, 'which bird', { outputFormat });
    const ignored = await reply(server, followed.json.sessionId, 'any bird');
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

  async includePartialMessages({ server, model, on, off }) {
    model.when('tell', [streamThenHang('Once there was a heron in the marsh')]);

    await Promise.all([on, off].map((sessionId) => reply(server, sessionId, 'tell', { waitMs: 0 })));
    const activity = await activityOf(server, on, 'heron');
    await model.request((request) => request.sessionId === off && request.promptText === 'tell');
    const other = await server.call('claude_code_check', { sessionId: off, waitMs: 0 });
    for (const sessionId of [on, off])
      await server.call('claude_code_session', { action: 'interrupt', sessionId });

    expect(activity).toMatch(/^writes "….*heron/);
    expect(other.json.activity ?? '').not.toContain('heron');
  },

  async forwardSubagentText({ server, model, on, off }) {
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

    await Promise.all([on, off].map((sessionId) => reply(server, sessionId, 'ask the birder')));
    const told = await Promise.all([on, off].map((sessionId) => agentTexts(server, sessionId)));

    expect(told).toEqual([['I SEE A HERON'], []]);
  },

  async env({ server, model, on }) {
    model.when('show', [tool('Bash', { command: 'echo "[$TZ]"' }, { id: 'toolu_show' }), text('shown')]);

    await reply(server, on, 'show');

    const last = model.requests(on).at(-1);
    expect(last && toolResultText(last, 'toolu_show')).toContain('[Asia/Tokyo]');
  },

  async sandbox({ server, log }) {
    const wanted = { enabled: true, network: { deniedDomains: ['birds.example'] } };
    const { json: declined } = await start(server, 'hello', {
      sandbox: { enabled: false },
      debug: false,
      tools: { type: 'preset', preset: 'claude_code' },
    });
    const { sessionId } = declined;

    const { json } = await reply(server, sessionId, 'again', { diskResumeConfig: { sandbox: wanted } });

    // A default is not a request for the opposite.
    expect(declined.status).toBe('idle');
    expect(valueOf(log.argvOf(sessionId), 'settings') ?? '').not.toContain('"sandbox"');

    // Never quietly none: where there is no sandbox, there is no turn.
    expect(json.status).toBe(hasSandbox() ? 'idle' : 'error');
    expect(JSON.parse(valueOf(log.argvOf(sessionId, 'resume'), 'settings') ?? '')).toMatchObject({
      sandbox: {
        enabled: true,
        failIfUnavailable: true,
        autoAllowBashIfSandboxed: false,
        allowUnsandboxedCommands: false,
        network: { deniedDomains: ['birds.example'] },
      },
    });
  },

  async persistSession({ sandbox, log, on, off }) {
    expect(readTranscript(sandbox, off)).toContain('hello');
    expect(readTranscript(sandbox, on)).toBe('');
    expect(log.argvOf(on)).toContain('--no-session-persistence');
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

function reply(
  server: ServerClient,
  sessionId: string,
  prompt: string,
  args: Record<string, unknown> = {},
): Promise<ToolReply> {
  return server.call('claude_code_reply', { sessionId, prompt, waitMs: 20_000, ...args });
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
