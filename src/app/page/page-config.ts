import type { Settings } from '../../config/settings.js';
import type { Logger } from '../../core/observability/logger.js';

/** What the page needs of the config of the app. */
export interface PageConfig {
  readonly settings: Settings;
  readonly version: string;
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  readonly depth: number;
  /** The folder with the files of the page. */
  readonly pageFolder: string;
}
