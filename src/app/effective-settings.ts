import { findBundledClaude } from '../backends/cli/find-claude.js';
import { isSdkInstalled } from '../backends/agent-sdk/load-sdk.js';
import { defaultCwdOf, stateDirOf, type Settings } from '../config/settings.js';
import { claudeOnPath } from './compose-backend.js';

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
}

/** The values that the server finds for itself when the operator sets none. */
export function effectiveSettings(settings: Settings, surroundings: Surroundings): Settings {
  const { environment, home, cwd } = surroundings;
  return {
    ...settings,
    claudePath: settings.claudePath ?? foundClaude(settings, surroundings),
    defaultCwd: defaultCwdOf(settings, environment, cwd),
    stateDir: stateDirOf(settings, environment, home),
  };
}

function foundClaude({ backend }: Settings, surroundings: Surroundings): string | undefined {
  const isCli = backend === 'cli' || (backend === 'auto' && !isSdkInstalled());
  return (isCli ? claudeOnPath(surroundings, []) : undefined) ?? findBundledClaude();
}
