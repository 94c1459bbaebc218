import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askedCommands } from '../kit/asked-commands.js';
import { startBackstage } from '../kit/fixture.js';
import { connectServer } from '../kit/server-client.js';

const commands = ['git diff', 'git show'];

/** What an unpacked archive can contain. */
const leads: readonly (readonly [string, (project: string, other: string) => void])[] = [
  ['a file', (project, other) => writeFileSync(join(project, '.git'), `gitdir: ${join(other, '.git')}\n`)],
];

it.each(leads)(
  'where reading is bounded, git does not show the repository to which %s leads',
  async (_how, lead) => {
    const { model, sandbox } = await startBackstage();
    const { project, root } = sandbox;
    const other = join(root, 'other');
    const git = (...args: string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: other });
    mkdirSync(other);
    git('init', '-q');
    writeFileSync(join(other, 'secret.txt'), 'hidden words\n');
    git('add', '.');
    git('commit', '-qm', 'one');
    lead(project, other);
    const env = {
      CLAUDE_CODE_MCP_ROOTS: project,
      CLAUDE_CODE_MCP_APPROVALS: 'any',
      CLAUDE_CODE_MCP_BACKEND: 'agent-sdk',
    };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    onTestFinished(() => server.close());

    const asked = await askedCommands({ model, sandbox, server }, commands);

    expect(asked).toEqual(commands);
    expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
  },
);
