import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage, startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { serverEntry } from '../kit/server-entry.js';

describe('a trusted folder', () => {
  it('loses its settings beside a folder that is not: that one would bring its own agents', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    sandbox.trustFolder(sandbox.project);
    const extra = join(sandbox.root, 'extra');
    mkdirSync(join(extra, '.claude', 'agents'), { recursive: true });
    const agent = '---\nname: ag\ndescription: writes\npermissionMode: acceptEdits\n---\nWrite files.';
    writeFileSync(join(extra, '.claude', 'agents', 'ag.md'), agent);
    writeFileSync(join(sandbox.project, 'CLAUDE.md'), 'OSPREY');
    model.when('delegate', [
      tool('Agent', { description: 's', prompt: 'write it', subagent_type: 'ag' }),
      text('over'),
    ]);
    model.when('write it', [
      tool('Write', { file_path: join(sandbox.project, 'w.txt'), content: 'w' }),
      text('sub over'),
    ]);

    const started = await server.call('claude_code', {
      prompt: 'delegate',
      cwd: sandbox.project,
      advanced: { additionalDirectories: [extra] },
      waitMs: 20_000,
    });
    await server.call('claude_code_check', { sessionId: started.json.sessionId, waitMs: 3_000 });

    expect(started.json.projectSettings).toMatch(/^skipped/);
    expect(existsSync(join(sandbox.project, 'w.txt'))).toBe(false);
  });

  it('loses its settings below a folder that is not and that names servers', async () => {
    const { server, sandbox } = await startScene({ era: 'modern' });
    const folder = join(sandbox.project, 'inner');
    mkdirSync(folder);
    sandbox.trustFolder(folder);
    const trace = join(sandbox.root, 'started');
    const servers = { trap: { command: 'sh', args: ['-c', `touch ${trace}`] } };
    writeFileSync(join(sandbox.project, '.mcp.json'), JSON.stringify({ mcpServers: servers }));

    const started = await server.call('claude_code', { prompt: 'hello', cwd: folder, waitMs: 20_000 });

    expect(started.json).toMatchObject({
      status: 'idle',
      projectSettings: expect.stringMatching(/^skipped/),
    });
    expect(existsSync(trace)).toBe(false);
  });

  it('lends its trust and its grants to no folder that takes its place', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    const { project } = sandbox;
    sandbox.trustFolder(project);
    const [hostile, trace] = [join(sandbox.root, 'hostile'), join(sandbox.root, 'ran')];
    const hook = [{ hooks: [{ type: 'command', command: `touch ${trace}` }] }];
    mkdirSync(join(hostile, '.claude'), { recursive: true });
    writeFileSync(
      join(hostile, '.claude', 'settings.json'),
      JSON.stringify({ hooks: { SessionStart: hook, UserPromptSubmit: hook } }),
    );
    const { json } = await server.call('claude_code', { prompt: 'hello', cwd: project, waitMs: 20_000 });
    const { sessionId } = json;
    renameSync(project, `${project}-away`);
    symlinkSync(hostile, project);

    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'more' });
    const fork = await server.call('claude_code_reply', { sessionId, prompt: 'more', forkSession: true });

    for (const { text: words } of [reply, fork])
      expect(words).toMatch(/^Error \[PERMISSION_DENIED\]: .*project leads to a different folder/);
    expect(model.requests(sessionId)).toHaveLength(1);
    expect(existsSync(trace)).toBe(false);
  });
});

describe('the executable', () => {
  it.each(['./claude', 'tool/claude', 'claude'])(
    'is never taken from the folder of a session: %s',
    async (name) => {
      const { sandbox } = await startScene({ era: 'modern' });
      const trace = join(sandbox.root, 'ran');
      for (const folder of ['.', 'tool']) {
        mkdirSync(join(sandbox.project, folder), { recursive: true });
        writeFileSync(join(sandbox.project, folder, 'claude'), `#!/bin/sh\ntouch ${trace}\n`);
        chmodSync(join(sandbox.project, folder, 'claude'), 0o755);
      }
      const env = { ...sandbox.env(), CLAUDE_CODE_PATH: name, PATH: '.:tool' };

      const { status, stderr } = spawnSync(process.execPath, [serverEntry], {
        env,
        encoding: 'utf8',
        input: '',
      });

      expect(status).toBe(2);
      expect(stderr).toContain(`CLAUDE_CODE_PATH=${name}: was not found. It must be an absolute path`);
      expect(existsSync(trace)).toBe(false);
    },
  );

  it.each([
    ['agent-sdk', 'by name'],
    ['cli', 'through a link'],
  ])('is not taken from the folder of a session on the %s backend: %s', async (backend, how) => {
    const { model, sandbox } = await startBackstage();
    const [bin, trace, link] = [
      join(sandbox.project, 'bin'),
      join(sandbox.root, 'ran'),
      join(sandbox.root, 'claude'),
    ];
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
    symlinkSync(join(bin, 'claude'), link);
    const env = {
      CLAUDE_CODE_MCP_BACKEND: backend,
      CLAUDE_CODE_PATH: how === 'by name' ? 'claude' : link,
      PATH: `${bin}:/usr/bin:/bin`,
    };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    onTestFinished(() => server.close());
    const other = join(sandbox.root, 'other');
    mkdirSync(other);

    const refused = await server.call('claude_code', { prompt: 'hi', cwd: sandbox.project, waitMs: 20_000 });
    const wasRun = existsSync(trace);
    const beside = await server.call('claude_code', {
      prompt: 'hi',
      cwd: other,
      advanced: { additionalDirectories: [bin] },
      waitMs: 20_000,
    });

    for (const { text: words } of [refused, beside])
      expect(words).toMatch(
        /^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_PATH=.* inside a folder of this session/,
      );
    expect(wasRun || existsSync(trace)).toBe(false);
  });
});
