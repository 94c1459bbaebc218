import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareSession } from '../kit/bare-session.js';
import type { Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { create, startSessions, untilStatus } from '../kit/sessions-moves.js';

/** What a caller asks for, and the beginning of the refusal. */
type Try = readonly [name: string, args: Record<string, unknown>, words: RegExp];

const bypass = /^Error \[PERMISSION_DENIED\]: callers may not use permissionMode "bypassPermissions"/;

/** Each is refused, and no session, process or model request comes of it. */
async function expectRefusals(scene: Scene, toolName: string, tries: readonly Try[]): Promise<void> {
  const before = scene.model.requests().length;
  for (const [name, args, words] of tries) {
    const { text } = await scene.server.call(toolName, args);
    expect.soft(text, name).toMatch(words);
    // None of these tools is served here.
    expect.soft(text, name).not.toMatch(/claude_code(_check|_respond|_reply|_session)?\b/);
  }
  expect(scene.model.requests()).toHaveLength(before);
  expect(scene.sandbox.processes().filter(({ command }) => command.includes('stream-json'))).toEqual([]);
  expect((await scene.server.call('claude_list_sessions')).json).toEqual({ sessions: [] });
}

async function startForeign({ sandbox, model }: Scene, cwd: string): Promise<string> {
  const session = startBareSession({ cwd, env: sandbox.env(model) });
  const { session_id: sessionId } = await session.turn('remember the word heron');
  session.end();
  await session.ended;
  return sessionId;
}

describe('a start through the six tools', () => {
  it('gets no more than the operator allows', async () => {
    const scene = await startSessions({ era: 'modern', backend: 'cli' });
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

  // Where callers are fully trusted it needs no switch: this is tested in process.
  it('skips permissions where it was enabled by the toolset configure', async () => {
    const env = { CLAUDE_CODE_MCP_TOOLSETS: 'sessions,configure' };
    const scene = await startSessions({ era: 'modern', backend: 'cli', env });
    await scene.server.call('claude_code_configure', { action: 'enable_bypass' });
    scene.model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Touched.')]);

    const { sessionId } = await create(scene, 'touch', { dangerouslySkipPermissions: true });
    const done = await untilStatus(scene, sessionId, 'completed');

    expect(done).toMatchObject({ toolUseEvents: [{ toolName: 'Bash', status: 'completed' }] });
    expect(existsSync(join(scene.sandbox.project, 'a.txt'))).toBe(true);
  });
});

describe('a session that is not for this caller', () => {
  it('is neither listed nor resumed from outside the roots, or without history', async () => {
    const scene = await startSessions({ era: 'modern' });
    const other = join(scene.sandbox.root, 'other');
    mkdirSync(other);
    const sessionId = await startForeign(scene, other);
    const trial = async (env: Record<string, string>): Promise<unknown[]> => {
      const server = await connectServer({
        ...scene,
        era: 'modern',
        env: { CLAUDE_CODE_MCP_TOOLSETS: 'sessions', ...env },
      });
      const listed = await server.call('claude_list_sessions');
      const sent = await server.call('claude_send_message', { sessionId, message: 'which word?' });
      await server.close();
      return [listed.json, sent.text];
    };

    const bounded = await trial({ CLAUDE_CODE_MCP_ROOTS: scene.sandbox.project });
    const blind = await trial({ CLAUDE_CODE_MCP_HISTORY: 'off' });

    expect(bounded).toEqual([{ sessions: [] }, expect.stringMatching(/^Error \[SESSION_NOT_FOUND\]/)]);
    expect(blind).toEqual([
      { sessions: [] },
      expect.stringMatching(
        /^Error \[PERMISSION_DENIED\].*claude_create_session.*CLAUDE_CODE_MCP_HISTORY=resume/,
      ),
    ]);
  });
});
