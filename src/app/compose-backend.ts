import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AppConfig } from './app.js';
import { endLeftovers } from '../backends/launches/end-leftovers.js';
import type { ServerIdentity } from '../backends/launches/launch-record.js';
import { Launches } from '../backends/launches/launches.js';
import { WatchdogProcess } from '../backends/launches/watchdog-process.js';
import type { BackendSettings } from '../backends/shared/settings.js';
import { depthVariable, type Settings } from '../config/settings.js';
import type { Backend } from '../core/claude/backend.js';
import { AppError, messageOf } from '../core/errors.js';
import type { IdSource } from '../core/ids.js';
import { readRegularFileSync } from '../files/regular-file.js';
import { findExecutable, type ExecutableSearch } from '../platform/find-executable.js';
import { programOfShim } from '../platform/npm-shim.js';
import * as processes from '../platform/processes.js';

type Create = (config: AppConfig, common: BackendSettings) => Promise<Backend>;

/** The only place that lists the backends. Loads only the chosen one. */
const backends: Readonly<Record<Settings['backend'], Create>> = {
  async auto(config, common) {
    const { isSdkInstalled } = await import('../backends/agent-sdk/load-sdk.js');
    if (isSdkInstalled()) return backends['agent-sdk'](config, common);
    config.logger.log(
      'warn',
      'the Agent SDK is not installed, so this server uses the cli backend, which supports fewer options',
    );
    return backends.cli(config, common);
  },
  async 'agent-sdk'(config, common) {
    const [{ createAgentSdkBackend }, { findBundledClaude }] = await Promise.all([
      import('../backends/agent-sdk/backend.js'),
      import('../backends/agent-sdk/find-bundled-claude.js'),
    ]);
    return createAgentSdkBackend({
      ...common,
      // The SDK would look for it at every start, and take milliseconds to ask Node for the system's C library.
      findExecutable: (notIn) => configuredClaude(config, notIn) ?? findBundledClaude(),
    });
  },
  async cli(config, common) {
    const [{ createCliBackend }, { findBundledClaude }] = await Promise.all([
      import('../backends/cli/backend.js'),
      import('../backends/agent-sdk/find-bundled-claude.js'),
    ]);
    return createCliBackend({
      ...common,
      findExecutable: (notIn) =>
        configuredClaude(config, notIn) ?? claudeOnPath(config, notIn) ?? findBundledClaude(),
    });
  },
};

const maxScriptBytes = 64 * 1024;

/** A session that a killed server has left may still be in use until then. */
const leftoversMs = 3_000;

export async function composeBackend(
  config: AppConfig,
  sessions: { readonly environment: Readonly<Record<string, string>>; readonly stateDir: string },
  ids: IdSource,
): Promise<Backend> {
  // Not in the temporary folder: a session may work there and read files without approval.
  const folder = join(sessions.stateDir, 'launches');
  const { logger, tenant } = config;
  const user = tenant?.user;
  const server = identifyServer();
  const [backend] = await Promise.all([
    backends[config.settings.backend](config, {
      environment: sessions.environment,
      launches: new Launches({
        folder,
        reader: user && { user: user.system, folder: user.launches },
        watchdog: new WatchdogProcess({
          node: process.execPath,
          script: config.watchdog,
          environment: systemVariables(config.environment),
          logger,
        }),
        processes,
        server,
        logger,
      }),
      user: user?.system,
      depth: { variable: depthVariable, level: config.depth + 1 },
      processes,
      redactor: config.redactor,
      ids,
    }),
    Promise.race([
      endAllLeftovers([folder, ...(user === undefined ? [] : [user.launches])], server).catch(
        (error: unknown) =>
          logger.log('warn', 'the sessions of a killed server could not be ended', {
            reason: messageOf(error),
          }),
      ),
      pause(leftoversMs, undefined, { ref: false }),
    ]),
  ]);
  return backend;
}

async function endAllLeftovers(folders: readonly string[], server: Promise<ServerIdentity>): Promise<void> {
  for (const folder of folders) await endLeftovers(folder, processes, server);
}

async function identifyServer(): Promise<ServerIdentity> {
  const { pid } = process;
  const [startTime, space] = await Promise.all([processes.startTimeOf(pid), processes.processSpace()]);
  return { pid, startTime: startTime ?? '', space };
}

/** The watchdog needs to find the system's own tools, and nothing else. */
function systemVariables(environment: AppConfig['environment']): Record<string, string> {
  const names = ['PATH', 'SystemRoot', 'LD_LIBRARY_PATH'];
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** Undefined if the operator configures none. Throws if the session's own folders would supply it. */
function configuredClaude(
  { executable, home, environment }: AppConfig,
  notIn: readonly string[],
): string | undefined {
  if (executable === undefined) return undefined;
  const found = findExecutable(executable, { home, searchPath: environment['PATH'], notIn });
  if (found === undefined) throw new AppError('executable_in_folder', { executable });
  return found;
}

export function claudeOnPath(
  { home, environment }: Pick<AppConfig, 'home' | 'environment'>,
  notIn: readonly string[],
): string | undefined {
  const search = { home, searchPath: environment['PATH'], notIn };
  if (process.platform !== 'win32') return findExecutable('claude', search);
  return findExecutable('claude.exe', search) ?? claudeBehindScript(search);
}

/** On Windows, package managers put a script on the search path instead of the program. */
function claudeBehindScript(search: ExecutableSearch): string | undefined {
  const script = findExecutable('claude.cmd', search);
  if (script === undefined) return undefined;
  try {
    const program = programOfShim(readRegularFileSync(script, maxScriptBytes), dirname(script));
    return program !== undefined && existsSync(program) ? findExecutable(program, search) : undefined;
  } catch {
    // Not a script that a package manager wrote.
    return undefined;
  }
}
