import { defaultCwdOf, stateDirOf, type Settings } from '../config/settings.js';
import { locateClaude } from './located-claude.js';

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
    claudePath: settings.claudePath ?? locateClaude(settings, surroundings)?.path,
    defaultCwd: defaultCwdOf(settings, environment, cwd),
    stateDir: stateDirOf(settings, environment, home),
  };
}
