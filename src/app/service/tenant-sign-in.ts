import { closeSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../config/config-error.js';
import { hasCredentials } from '../../core/claude/credentials.js';
import { messageOf } from '../../core/errors.js';
import { NotPrivateError, openPrivateFile } from '../../files/private-file.js';
import { isListed } from '../../policy/child-environment.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The subscription of one person, which others must not use. */
const personal: readonly string[] = ['CLAUDE_CODE_OAUTH_*'];

/** Other ways to sign in, which Claude Code might prefer to the key of the principal. */
const beside: readonly string[] = ['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_USE_*'];

/** The environment of a principal other than the owner: with its own key, or with the operator's. */
export function signedIn(environment: Environment, apiKey: string | undefined): Environment {
  const left = without(environment, personal);
  return apiKey === undefined ? left : { ...without(left, beside), ANTHROPIC_API_KEY: apiKey };
}

/** Whether Claude Code finds a way to sign in, as far as we can see: by a variable, or by its own file. */
export function canSignIn(environment: Environment, claudeDir: string): boolean {
  return hasCredentials(environment) || existsSync(join(claudeDir, '.credentials.json'));
}

/** Throws a ConfigError if other users could read or change the key. */
export function readApiKey(place: string, path: string): string {
  try {
    const { descriptor, isReadableByOthers } = openPrivateFile(path, constants.O_RDONLY);
    const key = readFileSync(descriptor, 'utf8').trim();
    closeSync(descriptor);
    if (isReadableByOthers) throw new Error(`can be read by other users. Run: chmod 600 '${path}'`);
    if (!/^\S+$/.test(key)) throw new Error('must contain an API key and nothing else');
    return key;
  } catch (error) {
    throw new ConfigError(`${place}=${path}: ${keyProblem(error, path)}`);
  }
}

function keyProblem(error: unknown, path: string): string {
  if (error instanceof NotPrivateError) return problems[error.problem](path);
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing ? 'file not found. Save the key there, or correct the path.' : messageOf(error);
}

const problems: Readonly<Record<NotPrivateError['problem'], (path: string) => string>> = {
  'symbolic-link': () => 'is a symbolic link. Name the file itself.',
  'wrong-kind': () => 'is not a file. Name a file that contains the key.',
  'writable-by-others': (path) => `can be changed by other users. Run: chmod 600 '${path}'`,
};

function without(environment: Environment, patterns: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isListed(name, patterns)));
}
