import type { Settings } from '../../config/settings.js';
import type { ClaudeHome } from '../../history/claude-home.js';

/** What the checks look at. */
export interface Surroundings {
  readonly settings: Settings;
  /** The environment of this terminal. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The environment of a session that starts here. */
  readonly sessionEnvironment: Readonly<Record<string, string>>;
  readonly home: string;
  readonly cwd: string;
  readonly stateDir: string;
  readonly claudeHome: ClaudeHome;
}
