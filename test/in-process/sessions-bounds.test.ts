import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mask } from '../../src/core/observability/mask.js';
import type { InProcessScene } from '../kit/in-process.js';
import { say, text, tool } from '../kit/model-steps.js';
import { formCapability } from '../kit/person.js';
import { human } from '../kit/approval-moves.js';
import { create, pending, startSessionsInProcess, statusOf, untilStatus } from '../kit/sessions-moves.js';

/** What a caller asks for, and the beginning of the refusal. */
type Try = readonly [name: string, args: Record<string, unknown>, words: RegExp];

const bypass = /^Error \[PERMISSION_DENIED\]: callers may not use permissionMode "bypassPermissions"/;

/** Each is refused, and no session, process or model request comes of it. */
async function expectRefusals(scene: InProcessScene, toolName: string, tries: readonly Try[]): Promise<void> {
  const before = scene.model.requests().length;
  for (const [name, args, words] of tries) {
    const { text } = await scene.server.call(toolName, args);
    expect.soft(text, name).toMatch(words);
    // None of these tools is served here.
    expect.soft(text, name).not.toMatch(/claude_code(_check|_respond|_reply|_session)?\b/);
  }
  expect(scene.model.requests()).toHaveLength(before);
  expect(scene.world.launches).toEqual([]);
  expect((await scene.server.call('claude_list_sessions')).json).toEqual({ sessions: [] });
}

describe('a start through the six tools', () => {
  it('gets no more than the operator allows', async () => {
    const scene = await startSessionsInProcess({ era: 'modern' });
    symlinkSync(scene.sandbox.home, join(scene.sandbox.project, 'link'));
    const prompt = 'hello';

    await expectRefusals(scene, 'claude_create_session', [
      ['skipping permissions', { prompt, dangerouslySkipPermissions: true }, bypass],
      ['the mode of the same', { prompt, permissionMode: 'bypassPermissions' }, bypass],
      [
        'two modes at once',
        { prompt, dangerouslySkipPermissions: true, permissionMode: 'plan' },
        /^Error \[INVALID_ARGUMENT\]: dangerouslySkipPermissions cannot be combined with permissionMode "plan"/,
      ],
      [
        'the home folder by a link',
        { prompt, workingDirectory: join(scene.sandbox.project, 'link') },
        /^Error \[PERMISSION_DENIED\]: workingDirectory .* home folder/,
      ],
      ['a flag as a model', { prompt, model: '--mcp-config=x' }, /^Error \[INVALID_ARGUMENT\]: model/],
      [
        'two rules in one',
        { prompt, allowedTools: ['Read(x),Bash'] },
        /^Error \[INVALID_ARGUMENT\]: allowedTools/,
      ],
      [
        'an option of other tools',
        { prompt, advanced: { env: {} } },
        /^Error \[INVALID_ARGUMENT\]: unknown key "advanced"/,
      ],
      [
        'a mode that is not offered',
        { prompt, permissionMode: 'auto' },
        /^Error \[INVALID_ARGUMENT\]: permissionMode/,
      ],
      ['no task', { prompt: ' ' }, /^Error \[INVALID_ARGUMENT\]: prompt/],
    ]);
  });

  it('allows nothing in advance where only people approve, or outside the roots', async () => {
    const scene = await startSessionsInProcess({ era: 'modern', capabilities: formCapability, env: human });
    const bounded = await startSessionsInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_ROOTS: '/usr/share', CLAUDE_CODE_DEFAULT_CWD: '/usr/share' },
    });
    const prompt = 'hello';
    const workingDirectory = scene.sandbox.project;

    await expectRefusals(scene, 'claude_create_session', [
      [
        'a tool',
        { prompt, workingDirectory, allowedTools: ['Bash'] },
        /^Error \[PERMISSION_DENIED\]: allowedTools/,
      ],
      [
        'a mode that does not ask',
        { prompt, workingDirectory, permissionMode: 'acceptEdits' },
        /^Error \[PERMISSION_DENIED\]: permissionMode "acceptEdits"/,
      ],
      ['all of them', { prompt, workingDirectory, dangerouslySkipPermissions: true }, bypass],
    ]);
    await expectRefusals(bounded, 'claude_create_session', [
      [
        'a folder outside',
        { prompt, workingDirectory: bounded.sandbox.project },
        /^Error \[PERMISSION_DENIED\]: workingDirectory .* is outside the folders that this server allows\. Pass a folder inside \/usr\/share \(CLAUDE_CODE_MCP_ROOTS\), /,
      ],
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['the operator trusts callers fully', { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' }],
    ['it was enabled by the toolset configure', { CLAUDE_CODE_MCP_TOOLSETS: 'sessions,configure' }],
  ])('skips permissions where %s', async (_where, env) => {
    const scene = await startSessionsInProcess({ era: 'modern', env });
    if ('CLAUDE_CODE_MCP_TOOLSETS' in env)
      await scene.server.call('claude_code_configure', { action: 'enable_bypass' });
    scene.model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Touched.')]);

    const { sessionId } = await create(scene, 'touch', { dangerouslySkipPermissions: true });
    const done = await untilStatus(scene, sessionId, 'completed');

    expect(done).toMatchObject({ toolUseEvents: [{ toolName: 'Bash', status: 'completed' }] });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(true);
  });
});

describe('a session that is not for this caller', () => {
  it('is refused by its id, whatever that is', async () => {
    const scene = await startSessionsInProcess({ era: 'legacy' });
    const unknown = '00000000-0000-4000-8000-000000000000';
    const ids = ['', '../../etc/passwd', 'a title', '--resume', 'x'.repeat(300)];

    for (const name of ['claude_get_status', 'claude_interrupt']) {
      await expectRefusals(scene, name, [
        ...ids.map((sessionId): Try => [sessionId, { sessionId }, /^Error \[INVALID_ARGUMENT\]: sessionId/]),
        ['unknown', { sessionId: unknown }, /^Error \[SESSION_NOT_FOUND\].*claude_list_sessions/],
      ]);
    }
    await expectRefusals(scene, 'claude_send_message', [
      ...ids.map((sessionId): Try => [
        sessionId,
        { sessionId, message: 'hello' },
        /^Error \[INVALID_ARGUMENT\]: sessionId/,
      ]),
      ['unknown', { sessionId: unknown, message: 'hello' }, /^Error \[SESSION_NOT_FOUND\]/],
    ]);
    await expectRefusals(scene, 'claude_respond', [
      [
        'unknown',
        { sessionId: unknown, inputId: 'x', decision: 'allow' },
        /^Error \[SESSION_NOT_FOUND\].*claude_list_sessions/,
      ],
    ]);
  });
});

describe('an answer through claude_respond', () => {
  it('that does not fit leaves the request open', async () => {
    const scene = await startSessionsInProcess({ era: 'modern' });
    const { server, model } = scene;
    const long = `touch a.txt #${'x'.repeat(20_000)}`;
    model.when('touch', [tool('Bash', { command: long }), text('Done.')]);
    const { sessionId } = await create(scene, 'touch');
    const { inputId, toolInput } = await pending(scene, sessionId);
    const respond = async (args: Record<string, unknown>): Promise<string> =>
      (await server.call('claude_respond', { sessionId, inputId, decision: 'allow', ...args })).text;

    const shown = await server.call('claude_get_status', { sessionId });
    const answers = [
      await respond({ updatedInput: toolInput }),
      await respond({ updatedInput: { command: 7 } }),
      await respond({ decision: 'deny', updatedInput: { command: 'ls' } }),
      await respond({ decision: 'maybe' }),
      await respond({ updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions' }] }),
    ];

    expect(shown.text.length).toBeLessThanOrEqual(7_500);
    expect(toolInput).toEqual({
      command: expect.stringMatching(/^touch a\.txt #x+ …\[\d+ characters hidden\]… x+$/),
    });
    expect(answers).toEqual([
      expect.stringMatching(
        /^Error \[INVALID_ARGUMENT\]: updatedInput is invalid: it contains a text that was truncated/,
      ),
      expect.stringMatching(
        /^Error \[INVALID_ARGUMENT\]: updatedInput is invalid: Bash needs "command" as a string/,
      ),
      expect.stringMatching(/^Error \[INVALID_ARGUMENT\]: updatedInput cannot be used with decision "deny"/),
      expect.stringMatching(/^Error \[INVALID_ARGUMENT\]: decision/),
      expect.stringMatching(/^Error \[INVALID_ARGUMENT\]: unknown key "updatedPermissions"/),
    ]);
    expect(await statusOf(scene, sessionId)).toMatchObject({
      status: 'waiting_for_input',
      pendingInputs: [{ inputId }],
    });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(false);
  });
});

describe('a planted secret', () => {
  it('is in nothing that the six tools tell', async () => {
    const secret = 'sk-ant-api03-PLANTED0123456789abcdef';
    const scene = await startSessionsInProcess({ era: 'modern', env: { MY_API_TOKEN: secret } });
    const { server, model } = scene;
    const crowd = `${secret}\n`.repeat(400);
    model.when('go', [say(crowd, tool('Bash', { command: `touch a.txt # ${crowd}` })), text(crowd)]);

    const { sessionId } = await create(scene, `go with ${secret}`);
    const { inputId } = await pending(scene, sessionId);
    await server.call('claude_respond', { sessionId, inputId, decision: 'deny', reason: secret });
    const done = await untilStatus(scene, sessionId, 'completed');
    await server.call('claude_list_sessions');

    expect(done.result).toContain(mask);
    expect(done.recentOutput.at(-1)).toBe(mask);
    expect(server.stdout() + server.stderr()).not.toContain('PLANTED');
  });
});
