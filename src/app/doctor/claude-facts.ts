import { isTested, testedVersions } from '../../backends/cli/version.js';
import { runClaude } from '../../backends/shared/run-claude.js';
import type { ClaudeFacts } from '../../console/doctor/claude.js';
import { parseJson } from '../../core/json.js';
import { claudeOnPath } from '../compose-backend.js';
import { backendOf, locateClaude } from '../located-claude.js';
import type { Surroundings } from './surroundings.js';

const limitMs = 10_000;

/** Where Claude Code is, and which version. */
export async function gatherClaude(surroundings: Surroundings): Promise<ClaudeFacts> {
  const { settings } = surroundings;
  const found = locateClaude(settings, surroundings);
  const said = found && (await ask(found.path, ['--version'], surroundings))?.split('\n', 1)[0]?.trim();
  return {
    configured: settings.claudePath,
    found,
    unused: found?.by === 'bundle' ? claudeOnPath(surroundings, []) : undefined,
    said,
    backend: backendOf(settings),
    isTested: said !== undefined && isTested(said),
    tested: testedVersions,
  };
}

/** The answer of Claude Code to the question how it is signed in. Undefined if it gives none. */
export async function gatherSignIn(path: string, surroundings: Surroundings): Promise<unknown> {
  return parseJson((await ask(path, ['auth', 'status', '--json'], surroundings)) ?? '');
}

async function ask(
  path: string,
  args: readonly string[],
  { sessionEnvironment: env }: Surroundings,
): Promise<string | undefined> {
  const { signal } = new AbortController();
  const output = await runClaude(path, args, { env, signal, limitMs });
  return typeof output === 'object' ? output.stdout : undefined;
}
