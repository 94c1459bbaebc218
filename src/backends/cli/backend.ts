import type { Abilities } from '../../core/claude/abilities.js';
import type { Backend } from '../../core/claude/backend.js';
import { settingsOfProcess, type BackendSettings } from '../shared/settings.js';
import { createSignInCheck } from '../shared/sign-in.js';
import { missingOptions } from './arguments.js';
import { CallbackServer } from './permission/callback-server.js';
import { serverName } from './permission/protocol.js';
import { CliProcess, type CliProcessSettings } from './process.js';
import { createVersionCheck } from './version.js';

export type CliSettings = BackendSettings & Pick<CliProcessSettings, 'findExecutable' | 'script'>;

const abilities: Abilities = {
  gate: false,
  suggestions: false,
  liveChanges: false,
  missingOptions,
  reservedServers: [serverName],
};

/** Drives an installed `claude` through its flags and streams, without the Agent SDK. */
export function createCliBackend(settings: CliSettings): Backend {
  const { findExecutable, script } = settings;
  const callbacks = new CallbackServer();
  const checkVersion = createVersionCheck(settings.environment, { user: settings.user });
  const checkSignIn = createSignInCheck(settings);
  return {
    name: 'cli',
    abilities,
    // With a permission tool, Claude Code first waits for all MCP servers of the user, up to 30 s.
    startTimeoutMs: 45_000,
    prepare: async () => undefined,
    open: (launch, host) =>
      new CliProcess(launch, host, {
        ...settingsOfProcess(settings, checkSignIn),
        findExecutable,
        script,
        callbacks,
        checkVersion,
      }),
  };
}
