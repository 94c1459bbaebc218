import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

const nobody = '00000000-0000-4000-8000-000000000000';

type Case = readonly [
  name: string,
  tool: string,
  args: (scene: Scene) => Record<string, unknown>,
  answer: RegExp,
];

const cases: readonly Case[] = [
  [
    'an empty prompt',
    'claude_code',
    () => ({ prompt: '  ' }),
    /^Error \[INVALID_ARGUMENT\]: prompt is empty/,
  ],
  ['no prompt', 'claude_code', () => ({}), /^Error \[INVALID_ARGUMENT\]: prompt is required/],
  [
    'a prompt of 2 MiB',
    'claude_code',
    () => ({ prompt: 'x'.repeat(2 * 1_048_576) }),
    /^Error \[INVALID_ARGUMENT\]: prompt is longer than 1048576 characters/,
  ],
  [
    'an unknown key',
    'claude_code',
    () => ({ prompt: 'x', dangerouslySkipPermissions: true }),
    /^Error \[INVALID_ARGUMENT\]: unknown key "dangerouslySkipPermissions"; known: prompt, attachments, cwd, /,
  ],
  [
    'a schema that is too long for an argument',
    'claude_code',
    () => ({
      prompt: 'x',
      advanced: { outputFormat: { type: 'json_schema', schema: { description: 'x'.repeat(130_000) } } },
    }),
    /^Error \[INVALID_ARGUMENT\]: advanced\.outputFormat\.schema is longer than 120000 bytes as JSON/,
  ],
  [
    'servers that are too long for an argument',
    'claude_code',
    () => {
      const headers = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`X-${i}`, 'x'.repeat(9_000)]));
      return {
        prompt: 'x',
        advanced: { mcpServers: { x: { type: 'http', url: 'https://example.com/', headers } } },
      };
    },
    /^Error \[INVALID_ARGUMENT\]: advanced\.mcpServers is longer than 120000 bytes as JSON/,
  ],
  [
    'too many variables',
    'claude_code',
    () => ({
      prompt: 'x',
      advanced: { env: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`A${i}`, 'x'])) },
    }),
    /^Error \[INVALID_ARGUMENT\]: advanced\.env has more than 50 entries/,
  ],
  [
    'an unknown key in advanced',
    'claude_code',
    () => ({ prompt: 'x', advanced: { env: { A: '1' } } }),
    /^Error \[PERMISSION_DENIED\]: callers may not set env\.A: it is not on the list of harmless variables\. .*CLAUDE_CODE_MCP_CALLER_TRUST=full/,
  ],
  [
    'a wrong type',
    'claude_code',
    () => ({ prompt: 'x', maxTurns: 'many' }),
    /^Error \[INVALID_ARGUMENT\]: maxTurns must be /,
  ],
  [
    'a bad effort',
    'claude_code',
    () => ({ prompt: 'x', advanced: { effort: 'turbo' } }),
    /advanced\.effort must be "low", .*"xhigh" or "max", not "turbo"/,
  ],
  [
    'an option at the wrong level',
    'claude_code',
    () => ({ prompt: 'x', effort: 'high' }),
    /^Error \[INVALID_ARGUMENT\]: effort goes in advanced\./,
  ],
  [
    'a time in seconds',
    'claude_code',
    () => ({ prompt: 'x', timeout: 30 }),
    /^Error \[INVALID_ARGUMENT\]: advanced\.timeoutMs must be .* \(milliseconds: .*\), not 30\./,
  ],
  [
    'a relative cwd',
    'claude_code',
    () => ({ prompt: 'x', cwd: 'src' }),
    /^Error \[INVALID_ARGUMENT\]: cwd src is not an absolute path/,
  ],
  [
    'a missing cwd',
    'claude_code',
    ({ sandbox }) => ({ prompt: 'x', cwd: join(sandbox.project, 'nowhere') }),
    /^Error \[INVALID_ARGUMENT\]: cwd .*nowhere does not exist/,
  ],
  [
    'a file as cwd',
    'claude_code',
    ({ sandbox }) => ({ prompt: 'x', cwd: join(sandbox.project, 'file.txt') }),
    /^Error \[INVALID_ARGUMENT\]: cwd .*file.txt is not a folder/,
  ],
  [
    'the root as cwd',
    'claude_code',
    () => ({ prompt: 'x', cwd: '/' }),
    /^Error \[PERMISSION_DENIED\]: cwd \/ is not allowed/,
  ],
  [
    'the home folder as cwd',
    'claude_code',
    ({ sandbox }) => ({ prompt: 'x', cwd: sandbox.home }),
    /^Error \[PERMISSION_DENIED\]: cwd .* is not allowed: it is the home folder/,
  ],
  [
    'the root as another folder',
    'claude_code',
    ({ sandbox }) => ({ prompt: 'x', cwd: sandbox.project, advanced: { additionalDirectories: ['/'] } }),
    /^Error \[PERMISSION_DENIED\]: additionalDirectories \/ is not allowed/,
  ],
  [
    'bypassPermissions',
    'claude_code',
    ({ sandbox }) => ({ prompt: 'x', cwd: sandbox.project, permissionMode: 'bypassPermissions' }),
    /^Error \[PERMISSION_DENIED\]: .*bypassPermissions/,
  ],
  [
    'settings without the user',
    'claude_code',
    ({ sandbox }) => ({ prompt: 'x', cwd: sandbox.project, advanced: { settingSources: [] } }),
    /^Error \[PERMISSION_DENIED\]: settingSources must include "user"/,
  ],
  [
    'a model with a hidden end',
    'claude_code',
    () => ({ prompt: 'x', model: 'a\0b' }),
    /^Error \[INVALID_ARGUMENT\]: model must not contain NUL/,
  ],
  [
    'thousands of unknown keys',
    'claude_code',
    () => ({
      prompt: 'x',
      ...Object.fromEntries(Array.from({ length: 3_000 }, (_unused, index) => [`key${index}`, 1])),
    }),
    /^Error \[INVALID_ARGUMENT\]: unknown keys .{10,3100}$/s,
  ],
  [
    'a tool that is a flag',
    'claude_code',
    () => ({ prompt: 'x', allowedTools: ['--dangerously-skip-permissions'] }),
    /^Error \[INVALID_ARGUMENT\]: allowedTools.0 must not start with "-"/,
  ],
  [
    'an unknown session',
    'claude_code_reply',
    () => ({ sessionId: nobody, prompt: 'x' }),
    /^Error \[SESSION_NOT_FOUND\]: .*list/,
  ],
  [
    'a title instead of an id',
    'claude_code_reply',
    () => ({ sessionId: 'my session', prompt: 'x' }),
    /^Error \[INVALID_ARGUMENT\]: sessionId "my session" is not a UUID/,
  ],
  [
    'a path instead of an id',
    'claude_code_check',
    () => ({ sessionId: '../../etc/passwd' }),
    /^Error \[INVALID_ARGUMENT\]: sessionId .* is not a UUID/,
  ],
  [
    'both kinds of ids',
    'claude_code_check',
    () => ({ sessionId: nobody, sessionIds: [nobody] }),
    /exactly one of sessionId and sessionIds/,
  ],
  [
    'a request that never was',
    'claude_code_respond',
    () => ({ requestId: 'abc', decision: 'allow' }),
    /request abc is not open/,
  ],
  [
    'a session action without an id',
    'claude_code_session',
    () => ({ action: 'cancel' }),
    /action "cancel" requires sessionId/,
  ],
];

describe('bad input', () => {
  it.each(['modern', 'legacy'] as const)(
    'gets an error that says what to do, and changes nothing, %s era',
    async (era) => {
      const scene = await startScene({ era });
      writeFileSync(join(scene.sandbox.project, 'file.txt'), '');

      const answers = new Map<string, { isError: boolean; text: string }>();
      for (const [name, toolName, args] of cases)
        answers.set(name, await scene.server.call(toolName, args(scene)));
      const list = await scene.server.call('claude_code_session', { action: 'list' });

      for (const [name, , , expected] of cases) {
        expect(answers.get(name), name).toMatchObject({
          isError: true,
          text: expect.stringMatching(expected),
        });
      }
      expect(list.json.sessions).toEqual([]);
      expect(scene.model.requests()).toEqual([]);
      expect(scene.server.strayLines()).toEqual([]);
    },
  );

  it('for a session that exists leaves it as it was, and what a client adds by itself is ignored', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);
    const started = await server.call('claude_code', {
      prompt: 'touch',
      cwd: sandbox.project,
      model: null,
      maxTurns: null,
      advanced: { effort: null },
      wait_for_previous: true,
      waitMs: 20_000,
    });
    const { sessionId, actions } = started.json;
    const requestId = actions?.[0]?.requestId;

    const busy = await server.call('claude_code_reply', { sessionId, prompt: 'more' });
    const pastEnd = await server.call('claude_code_check', { sessionId, cursor: 999 });
    const otherSession = await server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      sessionId: nobody,
    });
    const halfMeant = await server.call('claude_code_respond', {
      requestId,
      decision: 'deny',
      updatedInput: { command: 'true' },
    });
    const badDecision = await server.call('claude_code_respond', { requestId, decision: 'perhaps' });
    const check = await server.call('claude_code_check', { sessionId });
    const denied = await server.call('claude_code_respond', {
      requestId,
      decision: 'deny',
      message: 'not today',
    });
    const late = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(busy.text).toMatch(
      /^Error \[SESSION_BUSY\]: .*waiting for an answer to Bash\. Answer it with claude_code_respond {requestId: "[\w-]+"}/,
    );
    expect(pastEnd.text).toMatch(/^Error \[INVALID_ARGUMENT\]: cursor 999 is past the end .*Use 0 /);
    expect(otherSession.text).toMatch(/^Error \[SESSION_NOT_FOUND\]/);
    expect(halfMeant.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: updatedInput cannot be used with decision "deny" on a permission/,
    );
    expect(badDecision.text).toMatch(/^Error \[INVALID_ARGUMENT\]: decision must be /);
    expect(check.json).toMatchObject({ status: 'waiting', actions: [{ requestId }] });
    expect(denied.json).toMatchObject({ status: 'idle', result: { permissionDenials: ['Bash'] } });
    expect(late.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: request .* is already settled \(decision: deny, answered by: caller\)/,
    );
    expect(JSON.stringify(model.requests(sessionId).at(-1)?.body)).toContain('not today');
  });

  it('names the missing executable', async () => {
    const { server, sandbox } = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_PATH: '/nowhere/claude' },
    });

    const started = await server.call('claude_code', { prompt: 'hello', cwd: sandbox.project });
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(started.text).toMatch(/^Error \[UNAVAILABLE\]: .*\/nowhere\/claude.*CLAUDE_CODE_PATH/s);
    expect(list.json.sessions).toEqual([]);
  });
});
