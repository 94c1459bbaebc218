import { ConfigError } from '../../config/config-error.js';
import { systemClock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { PageConfig } from './page-config.js';
import { preparedStateDir, usable } from '../state/prepared-state-dir.js';
import { announce } from './announce.js';
import { composeDevices } from './compose-devices.js';
import type { PageParts } from './compose-page.js';
import { readPageFiles } from './page-files.js';

export interface ServedPage extends Pick<PageParts, 'files' | 'devices' | 'server'> {
  /** So that `open` finds it. */
  announce(origin: string): Promise<void>;
}

/** The page of a service, at the address of the service. Undefined if the operator has turned it off. */
export async function servedPage(config: PageConfig): Promise<ServedPage | undefined> {
  const { settings, environment, home, cwd, logger } = config;
  if (settings.web === 'off') return undefined;
  const files = await readPageFiles(config.pageFolder).catch((error: unknown) => {
    throw new ConfigError(
      `the files of the page cannot be read (${messageOf(error)}). Install this package again, or set CLAUDE_CODE_MCP_WEB=off.`,
    );
  });
  const stateDir = preparedStateDir(settings, environment, home);
  const devices = await usable(Promise.resolve().then(() => composeDevices(stateDir, systemClock)));
  const isFixed = settings.port !== 0 || settings.publicUrl !== undefined;
  return {
    files,
    devices,
    server: isFixed ? undefined : await devices.servers.own(),
    announce: (origin) => announce(devices, { origin, kind: 'service', startedAt: Date.now(), cwd }, logger),
  };
}
