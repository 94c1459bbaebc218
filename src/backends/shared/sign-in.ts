import { join } from 'node:path';
import { hasCredentials, settingsHaveCredentials } from '../../core/claude/credentials.js';
import { parseJson, parseObject } from '../../core/json.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import type { SystemUser } from '../../core/processes.js';
import { openRegularFile, readOpened } from '../../files/regular-file.js';
import { runClaude, type ClaudeOutput } from './run-claude.js';

/** It takes a quarter of a second. A start does not wait for longer than this. */
const limitMs = 5_000;

const maxSettingsBytes = 1024 * 1024;

/** A process that is about to start, as the operating system sees it. */
export interface SignInQuestion {
  readonly executable: string;
  /** The script that the executable runs, if it is an interpreter. */
  readonly script: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly options: Pick<EffectiveOptions, 'cwd' | 'settingSources'>;
  readonly signal: AbortSignal;
}

/** Undefined if there is nothing to check. Otherwise resolves with false only if Claude Code says so. */
export type CheckSignIn = (question: SignInQuestion) => Promise<boolean> | undefined;

/** Asks Claude Code whether it is signed in, until it was once: for each configuration folder and executable. */
export function createSignInCheck({ user }: { readonly user?: SystemUser | undefined }): CheckSignIn {
  const signedIn = new Set<string>();
  return (question) => {
    const { executable, script, env, signal } = question;
    const { HOME, CLAUDE_CONFIG_DIR } = env;
    const key = JSON.stringify([executable, script, HOME, CLAUDE_CONFIG_DIR]);
    if (signedIn.has(key) || hasCredentials(env)) return undefined;
    const check = async (): Promise<boolean> => {
      if (await areInSettings(question)) return true;
      const args = [...script, 'auth', 'status', '--json'];
      if (isSignedOut(await runClaude(executable, args, { env, signal, limitMs, user }))) return false;
      if (!signal.aborted) signedIn.add(key);
      return true;
    };
    return check();
  };
}

/** Versions without this command print something else. */
function isSignedOut(output: ClaudeOutput): boolean {
  return typeof output === 'object' && parseObject(output.stdout)?.['loggedIn'] === false;
}

/** Claude Code does not look into the settings of a project when it is asked. */
async function areInSettings({ env, options }: SignInQuestion): Promise<boolean> {
  const configDir = env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.claude');
  const project = join(options.cwd, '.claude');
  const files: Readonly<Record<EffectiveOptions['settingSources'][number], string>> = {
    user: join(configDir, 'settings.json'),
    project: join(project, 'settings.json'),
    local: join(project, 'settings.local.json'),
  };
  const contents = await Promise.all(
    options.settingSources.map((source) => readOpened(openRegularFile(files[source]), maxSettingsBytes)),
  );
  return contents.some((text) => text !== undefined && settingsHaveCredentials(parseJson(text)));
}
