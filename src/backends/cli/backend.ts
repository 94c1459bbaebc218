import type { Backend } from '../../core/claude/backend.js';
import { settingsOfProcess, type BackendSettings } from '../shared/settings.js';
import { createSignInCheck } from '../shared/sign-in.js';
import { CliProcess, type CliProcessSettings } from './process.js';
import { createVersionCheck } from './version.js';

export type CliSettings = BackendSettings & Pick<CliProcessSettings, 'findExecutable'>;

/** Drives an installed `claude` through its flags and streams, without the Agent SDK. */
export function createCliBackend(settings: CliSettings): Backend {
  const { findExecutable } = settings;
  const checkVersion = createVersionCheck(settings.environment, { user: settings.user });
  const checkSignIn = createSignInCheck(settings);
  const processSettings = (): CliProcessSettings => ({
    ...settingsOfProcess(settings, checkSignIn),
    findExecutable,
    checkVersion,
  });
  return {
    name: 'cli',
    startTimeoutMs: 10_000,
    prepare: async () => undefined,
    open: (launch, host) => new CliProcess(launch, host, processSettings()),
    park: (launch, host) => new CliProcess(launch, host, { ...processSettings(), isParked: true }),
  };
}
