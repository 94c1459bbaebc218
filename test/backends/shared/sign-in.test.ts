import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSignInCheck, type SignInQuestion } from '../../../src/backends/shared/sign-in.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

/** A Claude Code that does this when it is asked, and counts the questions. */
function install(script: string): {
  readonly question: SignInQuestion;
  readonly write: (path: string, content: unknown) => void;
  readonly asked: () => readonly string[];
} {
  const root = temporaryFolder();
  const log = join(root, 'asked.log');
  const executable = join(root, 'claude');
  writeFileSync(log, '');
  writeFileSync(executable, `#!/bin/sh\necho "$@" >> '${log}'\n${script}\n`);
  chmodSync(executable, 0o755);
  for (const folder of ['config', join('project', '.claude')])
    mkdirSync(join(root, folder), { recursive: true });
  return {
    question: {
      executable,
      script: [],
      env: { PATH: process.env['PATH'], HOME: root, CLAUDE_CONFIG_DIR: join(root, 'config') },
      options: { cwd: join(root, 'project'), settingSources: ['user'] },
      signal: new AbortController().signal,
    },
    write: (path, content) => writeFileSync(join(root, path), JSON.stringify(content)),
    asked: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
  };
}

const says = (status: unknown, code = 0): string => `echo '${JSON.stringify(status)}'; exit ${code}`;
const signedOut = says({ loggedIn: false, authMethod: 'none' }, 1);

describe.skipIf(process.platform === 'win32')('the check of the sign-in', () => {
  it('fails each time, until Claude Code is signed in', async () => {
    const { question, asked } = install(signedOut);
    const check = createSignInCheck({});

    const answers = [await check(question), await check(question)];

    expect(answers).toEqual([false, false]);
    expect(asked()).toEqual(['auth status --json', 'auth status --json']);
  });

  it('passes once for all sessions with the same configuration', async () => {
    const { question, asked } = install(says({ loggedIn: true, authMethod: 'claude.ai' }));
    const check = createSignInCheck({});
    const elsewhere = { ...question, env: { ...question.env, CLAUDE_CONFIG_DIR: '/elsewhere' } };

    const answers = [await check(question), check(question), await check(elsewhere)];

    expect(answers).toEqual([true, undefined, true]);
    expect(asked()).toHaveLength(2);
  });

  it.each([
    ['a version without the command', "echo 'error: unknown command' >&2; exit 1"],
    ['a version that answers a prompt instead', 'echo "I do not know."'],
    ['an answer of another shape', says({ loggedIn: 'no' })],
  ])('passes with %s', async (_name, script) => {
    const { question, asked } = install(script);

    await expect(createSignInCheck({})(question)).resolves.toBe(true);
    expect(asked()).toHaveLength(1);
  });

  it('passes with an executable that does not exist', async () => {
    const { question } = install(signedOut);

    const answer = createSignInCheck({})({ ...question, executable: '/nowhere/claude' });

    await expect(answer).resolves.toBe(true);
  });

  it.each([
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
  ])('is left out with %s, unless it is empty', async (name) => {
    const { question, asked } = install(signedOut);
    const check = createSignInCheck({});
    const withValue = (value: string): SignInQuestion => ({
      ...question,
      env: { ...question.env, [name]: value },
    });

    const answers = [check(withValue('1')), await check(withValue(''))];

    expect(answers).toEqual([undefined, false]);
    expect(asked()).toHaveLength(1);
  });

  it.each([
    ['config/settings.json', { apiKeyHelper: '/usr/bin/key' }],
    ['project/.claude/settings.json', { env: { ANTHROPIC_API_KEY: 'sk-1' } }],
    ['project/.claude/settings.local.json', { env: { CLAUDE_CODE_USE_BEDROCK: '1' } }],
  ])('asks nothing if %s signs in, and the session loads it', async (path, content) => {
    const { question, write, asked } = install(signedOut);
    const all = { ...question.options, settingSources: ['user', 'project', 'local'] as const };
    const check = createSignInCheck({});

    const before = await check({ ...question, options: all });
    write(path, content);
    const after = await check({ ...question, options: all });

    expect([before, after]).toEqual([false, true]);
    expect(asked()).toHaveLength(1);
  });

  it('ignores the settings of a folder that the session does not load', async () => {
    const { question, write } = install(signedOut);
    write('project/.claude/settings.json', { apiKeyHelper: '/usr/bin/key' });

    await expect(createSignInCheck({})(question)).resolves.toBe(false);
  });
});
