import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../../src/config/commands.js';
import { bashCompletion } from '../../../src/console/completion/bash.js';
import { fishCompletion } from '../../../src/console/completion/fish.js';
import { completions } from '../../../src/console/completion/model.js';
import { zshCompletion } from '../../../src/console/completion/zsh.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

const model = completions(['cursor', 'codex']);
const id = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';

/** What a shell offers after these words. */
type Offer = (words: readonly string[], environment: NodeJS.ProcessEnv, folder: string) => string;

const shells: Readonly<Record<string, Offer>> = {
  bash: (words, env, cwd) => {
    const script = `${bashCompletion(model)}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_claude_code_mcp
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', ['--norc', '-c', script, 'bash', ...words], env, cwd);
  },
  zsh: (words, env, cwd) => {
    // Stands for the completion system, which needs a terminal.
    const script = `compdef() { }
compadd() { shift; print -l -- $@ }
_describe() { print -l -- \${(@)\${(@P)argv[-1]}%%:*} }
_files() { print -l -- *(/) }
${zshCompletion(model)}
words=("$@") CURRENT=$#
_claude_code_mcp`;
    return run('zsh', ['-f', '-c', script, 'zsh', ...words], env, cwd);
  },
  fish: (words, env, cwd) => {
    const script = `${fishCompletion(model)}\ncomplete -C "$argv"`;
    const lines = run('fish', ['-c', script, ...words], env, cwd).split('\n');
    return lines.map((line) => line.split('\t')[0]).join('\n');
  },
};

function run(shell: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): string {
  return execFileSync(shell, args, { env, cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

describe.each(Object.entries(shells))('%s', (shell, offer) => {
  const offered = (...words: readonly string[]): readonly string[] => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'project'));
    const program = join(folder, 'claude-code-mcp');
    writeFileSync(program, `#!/bin/sh\n[ "$1 $2" = 'sessions --ids' ] && echo ${id}\n`);
    chmodSync(program, 0o755);
    const env = { ...process.env, HOME: folder, PATH: `${folder}${delimiter}${process.env['PATH']}` };
    const last = words.at(-1) ?? '';
    return offer(['claude-code-mcp', ...words], env, folder)
      .split('\n')
      .filter((word) => word !== '' && word.startsWith(last))
      .toSorted();
  };

  it.skipIf(!isInstalled(shell))('completes commands, operands, flags and their values', () => {
    const firstWords = new Set([...commandNames.map((name) => name.replace(/ .*/, '')), 'help']);

    expect(offered('')).toEqual([...firstWords].toSorted());
    expect(offered('token', '')).toEqual(['create', 'list', 'revoke']);
    expect(offered('serve', 'st')).toEqual(['status', 'stop']);
    expect(offered('--log-level', 'info', 'audit', '')).toEqual(['verify']);
    expect(offered('completion', '')).toEqual(['bash', 'fish', 'zsh']);
    expect(offered('install', 'cursor', 'c')).toEqual(['codex', 'cursor']);
    expect(offered('watch', '1b')).toEqual([id]);
    expect(offered('trust', 'pro').map((name) => name.replace(/\/$/, ''))).toEqual(['project']);
    expect(offered('--approvals', '')).toEqual(['any', 'auto', 'human']);
    expect(offered('sessions', 'text', '--li')).toEqual(['--limit']);
    expect(offered('show', '--li')).toEqual([]);
    expect(offered('help', 'sett')).toEqual(['settings']);
  });
});
