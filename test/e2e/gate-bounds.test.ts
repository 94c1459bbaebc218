import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guardedFolders } from '../../src/core/claude/autostart-files.js';
import { denyAll } from '../kit/deny-all.js';
import { startBackstage, startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { exists, start, wants } from '../kit/approval-moves.js';

const bash = (command: string) => ({ command });

describe('within ROOTS, pre-approved reading and editing', () => {
  it('asks about every path outside the folders, wherever a command has moved the session', async () => {
    const { model, sandbox } = await startBackstage();
    const env = { CLAUDE_CODE_MCP_ROOTS: sandbox.project, CLAUDE_CODE_MCP_APPROVALS: 'any' };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    onTestFinished(() => server.close());
    const scene = { model, sandbox, server };
    const outside = join(sandbox.root, 'outside');
    const sub = join(sandbox.project, 'sub');
    for (const folder of [outside, sub]) mkdirSync(folder);
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    symlinkSync(outside, join(sub, 'link'));
    const read = { file_path: join(sub, 'link', 'secret.txt') };
    const grep = { pattern: 'secret', path: 'link' };
    const write = { file_path: join(outside, 'new.txt'), content: 'x' };
    const cat = [
      'cat ../outside/secret.txt',
      'cat sub/link/secret.txt',
      'echo ../outside/secret.txt | xargs head',
      'wc --files0-from=../outside/secret.txt',
      'diff --from-file=../outside/secret.txt sub/a.txt',
      'grep -R secret .',
    ].map(bash);

    const asked = await denyAll(
      scene,
      [
        ...cat.map((input) => tool('Bash', input)),
        tool('Read', read),
        tool('Bash', bash('cd sub')),
        tool('Grep', grep),
        tool('Write', write),
        tool('Write', { file_path: join(sub, 'inside.txt'), content: 'x' }),
      ],
      {
        // Claude Code does not apply these patterns outside the working directory, by any path or link.
        allowedTools: [
          'Read',
          'Grep',
          'Write',
          'Read(**)',
          'Read(/outside/**)',
          'Read(sub/link/**)',
          'Bash(cd sub)',
        ],
        advanced: { tools: ['Bash', 'Read', 'Grep', 'Write'] },
      },
    );
    const refused = await start(scene, { allowedTools: ['Read(//**)'] });
    wants(scene, tool('Read', read), tool('Read', { file_path: join(outside, 'other.txt') }));
    const { actions = [] } = (await start(scene)).json;
    const afterGrant = await server.call('claude_code_respond', {
      requestId: actions[0]?.requestId,
      decision: 'allow_for_session',
    });

    expect(asked).toEqual([...cat, read, grep, write].map((input) => expect.objectContaining(input)));
    expect(existsSync(write.file_path)).toBe(false);
    expect(existsSync(join(sub, 'inside.txt'))).toBe(true);
    expect(refused.text).toContain("it reaches outside the session's folders");
    // The approver reads where the link leads.
    expect(actions).toMatchObject([{ leadsTo: `\`${join(outside, 'secret.txt')}\`` }]);
    // Claude Code suggests a rule for the whole folder, which is not granted.
    expect(afterGrant.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Read' }] });
  });
});

describe('where edits are accepted', () => {
  it('asks about files that make other tools start programs, in commands too', async () => {
    const scene = await startScene({ era: 'modern' });
    mkdirSync(join(scene.sandbox.project, '.cursor'));
    writeFileSync(join(scene.sandbox.project, 'a.txt'), 'a');
    const write = { file_path: join(scene.sandbox.project, '.zed', 'tasks.json'), content: '{}' };
    const commands = ['cp a.txt .cur""sor/hooks.json', String.raw`mv a.txt .cur\sor/b.json`];

    const asked = await denyAll(
      scene,
      [
        tool('Write', write),
        ...commands.map((command) => tool('Bash', { command })),
        tool('Bash', bash('touch c.txt')),
        tool('Bash', bash('cd .cursor')),
        tool('Bash', bash('touch hooks.json')),
      ],
      { permissionMode: 'acceptEdits' },
    );

    expect(asked).toEqual(
      [write, ...commands.map(bash), bash('cd .cursor')].map((input) => expect.objectContaining(input)),
    );
    expect(exists(scene, 'c.txt')).toBe(true);
    expect(exists(scene, '.cursor/hooks.json')).toBe(false);
  });
});

it.each(['', 'packages/a'])(
  'where edits are accepted, Claude Code asks about the folders that it guards (%j)',
  async (place) => {
    const scene = await startScene({ era: 'modern' });
    const writes = guardedFolders.map((folder) => ({
      file_path: join(scene.sandbox.project, place, folder, 'new', 'a.json'),
      content: '{}',
    }));

    const asked = await denyAll(
      scene,
      writes.map((write) => tool('Write', write)),
      { permissionMode: 'acceptEdits' },
    );

    expect(asked).toEqual(writes);
  },
);

describe('in default mode', () => {
  it('asks before calls that affect later sessions, about which Claude Code does not ask', async () => {
    const scene = await startScene({ era: 'modern' });
    const { project, configDir } = scene.sandbox;
    scene.sandbox.trustFolder(project);
    execFileSync('git', ['init', '-q'], { cwd: project });
    const memory = join(configDir, 'projects', project.replaceAll(/[^a-zA-Z0-9]/g, '-'), 'memory');
    mkdirSync(memory, { recursive: true });
    const transcript = join(memory, '..', '22222222-2222-4222-8222-222222222222.jsonl');
    writeFileSync(transcript, '{}');
    const inputs = {
      // A conversation of another session of the folder.
      Read: { file_path: transcript },
      Write: { file_path: join(memory, 'MEMORY.md'), content: 'remember' },
      Bash: bash(`echo remember > ${memory}/b.md`),
      CronCreate: { cron: '0 0 1 1 *', prompt: 'hello', durable: true },
      EnterWorktree: { name: 'elsewhere' },
    };

    const asked = await denyAll(
      scene,
      Object.entries(inputs).map(([name, input]) => tool(name, input)),
      {},
    );

    expect(asked).toEqual(Object.values(inputs).map((input) => expect.objectContaining(input)));
    expect(existsSync(join(memory, 'MEMORY.md'))).toBe(false);
    expect(exists(scene, '.claude')).toBe(false);
  });
});
