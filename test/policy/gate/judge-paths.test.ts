import { describe, expect, it } from 'vitest';
import { judgeToolCall } from '../../../src/policy/gate/judge-tool-call.js';
import { facts, judge } from './judging.js';

describe('a tool call', () => {
  it.each([
    'mv gh .github',
    'cp mcp.json /p/.github/',
    'mv mise .config',
    'cp evil node_modules/.bin/tsc',
    'cp -r fake .venv',
    'echo x > node_modules/.bin/tsc',
    'cd .gitlab && mv ../duo .',
  ])('whose command gives a file such a path needs approval: %s', (command) => {
    expect(judge('Bash', { command }, 'acceptEdits')).toEqual({
      ask: 'This command names a file that can make other tools start programs',
      isGrantable: false,
    });
  });

  it.each([
    'ls -R .github',
    'grep -rn "npm install" .github',
    'mkdir .github',
    'rm -rf node_modules',
    'cp a.yml .github/workflows/ci.yml',
    'rm -rf dist && node_modules/.bin/tsc -p .',
    'rsync -a --exclude node_modules src/ dst/',
    'tar czf x.tgz --exclude=node_modules .',
    'git commit -m "$(cat <<\'EOF\'\nMove workflows to .github\n\n🤖 Generated with a tool\nEOF\n)"',
    'find . -path ./node_modules -prune -o -name cp',
  ])('whose command only reads, or leaves such files alone, passes: %s', (command) => {
    expect(judge('Bash', { command }, 'acceptEdits')).toBe('pass');
  });

  it('whose command moves more files than can be looked up needs approval in every mode', () => {
    const call = { toolUseId: 't', toolName: 'Bash', input: { command: 'mv a b' }, targets: [] };
    const command = { isReadOnly: false, reads: [], edits: undefined, moves: undefined, matches: [] };

    expect(judgeToolCall({ ...call, permissionMode: 'bypassPermissions', command }, facts)).toEqual({
      ask: 'Where this call leads could not be checked, because it names too many files, or links that cannot be followed',
      isGrantable: false,
    });
  });

  it('may move files in a session whose own folder has such a name', () => {
    const own = { ownFolders: ['/p/.github'] };

    expect(judge('Bash', { command: 'mv a /p/.github' }, 'acceptEdits', own)).toBe('pass');
  });

  it('with a path that could lead to any file needs approval, except in bypassPermissions', () => {
    const held = {
      ask: 'Where this path leads cannot be checked, because the system gives files other names there',
      isGrantable: true,
    };
    const path = '/proc/self/root/srv/a';

    expect(judge('Read', { file_path: path }, 'default')).toEqual(held);
    expect(judge('Bash', { command: `cat ${path}` }, 'default')).toEqual(held);
    expect(judge('Bash', { command: `cat ${path}` }, 'bypassPermissions')).toBe('pass');
    expect(judge('mcp__db__query', { file_path: path }, 'default')).toBe('pass');
    expect(judge('Write', { file_path: path }, 'bypassPermissions')).toEqual({
      ask: 'This file can make other tools start programs',
      isGrantable: false,
    });
  });
});
