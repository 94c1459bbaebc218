/**
 * The commands that need HTTP. A program of its own, so that the server over stdin and stdout neither contains nor loads
 * any of it.
 */
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openBridge } from '../app/connect/compose-bridge.js';
import { connectTokenPath } from '../app/connect/connect-token.js';
import { createService } from '../app/service/compose-service.js';
import { composeTokens } from '../app/service/compose-tokens.js';
import { preparedStateDir } from '../app/state/prepared-state-dir.js';
import { LocalService } from '../app/connect/local-service.js';
import { NoServiceError } from '../bridge/failure.js';
import type { Target } from '../bridge/link.js';
import {
  connectGreeting,
  serveArguments,
  serviceAddress,
  serviceEnvironment,
  serviceToken,
} from '../commands/connect.js';
import { banner, bannerJson, idleExitMs } from '../commands/serve.js';
import { serveStatus, serveStop } from '../commands/serve-control.js';
import { tokenCommands } from '../commands/token.js';
import { restrictionsOf } from '../config/restrictions.js';
import type { Arguments } from '../config/arguments.js';
import { isOf } from '../config/commands.js';
import { ConfigError } from '../config/config-error.js';
import { keyFolderOf } from '../config/key-folder.js';
import type { Loaded } from '../config/load.js';
import { owner } from '../config/principals.js';
import { stateDirOf } from '../config/settings.js';
import { systemClock } from '../core/clock.js';
import { messageOf } from '../core/errors.js';
import type { Redactor } from '../core/observability/redactor.js';
import { LastUses } from '../http/auth/last-uses.js';
import { tokenUsesPath } from '../http/auth/token-file.js';
import { privateFetch } from '../bridge/private-fetch.js';
import { watchParent } from '../platform/parent-watch.js';
import { pageCommand } from './page-commands.js';
import * as processes from '../platform/processes.js';
import { Servers } from '../state/server-mark.js';
import { ForeignAddressError, ServiceAddress } from '../state/service-address.js';
import { refuseInSession } from './people-only.js';
import { runProgram, settingsFor } from './program.js';
import { appConfigOf, endInOrder, loggerFor } from './run.js';
import { inTyped, typedCommand } from './typed.js';

const readyLimitMs = 2_000;

await runProgram(async (args, redactor) => {
  const { command } = args;
  if (!isOf('service', command) || command === 'serve') return serve(args, redactor);
  await refuseInSession(command);
  if (command === 'connect') return connect(args, redactor);
  if (command === 'serve status' || command === 'serve stop') return control(command, args);
  const text = await (isTokenCommand(command) ? token(command, args) : pageCommand(command, args));
  process.stdout.write(inTyped(text));
});

async function control(command: 'serve status' | 'serve stop', args: Arguments): Promise<void> {
  const { settings } = await settingsFor(args);
  const stateDir = stateDirOf(settings, process.env, homedir());
  const servers = new Servers({ pid: process.pid, startTimeOf: processes.startTimeOf });
  const address = new ServiceAddress(stateDir, servers);
  const run = command === 'serve stop' ? serveStop : serveStatus;
  const { text, exitCode } = await run({
    stateDir,
    find: () => address.find(),
    isReady: ({ address: { url, key } }) => isReady(url, key),
    end: endProcess,
    json: args.json,
  }).catch((error: unknown) => {
    throw error instanceof ForeignAddressError ? new ConfigError(error.message) : error;
  });
  process.stdout.write(inTyped(text));
  process.exitCode = exitCode;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function isReady(url: string, key: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(readyLimitMs);
    return (await privateFetch(key)(new URL('/readyz', url), { signal })).ok;
  } catch {
    return false;
  }
}

async function serve(args: Arguments, redactor: Redactor): Promise<void> {
  const loaded = await settingsFor(args);
  const config = await appConfigOf(loaded, redactor, import.meta.url);
  const { principals } = loaded;
  const service = await createService(config, { principals, idleMs: idleExitMs(args.own['idle-exit']) });
  const end = endInOrder(service, config.logger);
  void service.idle.then(() => {
    config.logger.log('info', 'the service exits, because no client has used it for a time');
    end(0);
  });
  const isStyled = process.stdout.isTTY && !process.env['NO_COLOR'];
  // A program reads stdout, but the operator must know.
  if (args.json) for (const note of service.notes) config.logger.log('warn', note);
  const { notes } = service;
  const command = typedCommand();
  process.stdout.write(args.json ? bannerJson(service) : banner(service, { isStyled, command, notes }));
}

/** Its client sees the service as if it were a server on stdin and stdout. */
async function connect(args: Arguments, redactor: Redactor): Promise<void> {
  const loaded = await settingsFor(args);
  const logger = loggerFor(loaded.settings, redactor);
  const find = args.operand === undefined ? ownService(args, loaded) : serviceElsewhere(args, args.operand);
  let logged = '';
  const target = async (): Promise<Target> => {
    try {
      const found = await find();
      redactor.learn([found.token]);
      return found;
    } catch (error) {
      // Once, because the bridge tries again. Some clients show no error of a first request.
      const reason = messageOf(error);
      if (reason !== logged) logger.log('warn', 'no service can be used', { reason });
      logged = reason;
      throw error;
    }
  };
  const bridge = await openBridge(target, logger);
  const end = endInOrder(bridge, logger);
  void bridge.ended.then(() => end(0));
  watchParent(() => end(0), logger);
  if (process.stdin.isTTY) process.stderr.write(connectGreeting);
}

function serviceElsewhere({ own }: Arguments, typed: string): () => Promise<Target> {
  const url = serviceAddress(typed);
  const read = (): Target => ({ url, token: serviceToken(own['token-file'], process.env) });
  read();
  // The file may contain another token later. A mistake in it must not end the bridge then.
  return async () => {
    try {
      return read();
    } catch (error) {
      throw new NoServiceError(messageOf(error));
    }
  };
}

/** The service of this user on this machine, which starts if it does not run. */
function ownService(args: Arguments, { settings, sources }: Loaded): () => Promise<Target> {
  if (args.own['token-file'] !== undefined)
    throw new ConfigError(
      'connect --token-file: needs the address of a service. Your own service needs no token.',
    );
  const stateDir = preparedStateDir(settings, process.env, homedir());
  const service = new LocalService({
    stateDir,
    tokens: composeTokens(stateDir),
    tokenPath: connectTokenPath(keyFolderOf(process.env, homedir()), stateDir),
    restrictions: restrictionsOf(settings, (key) => sources[key].kind !== 'default'),
    script: fileURLToPath(new URL('./claude-code-mcp.js', import.meta.url)),
    args: serveArguments(args, { hasPort: sources.port.kind !== 'default' }),
    environment: serviceEnvironment(process.env),
    cwd: homedir(),
  });
  return () => service.target();
}

function isTokenCommand(command: string): command is keyof typeof tokenCommands {
  return Object.hasOwn(tokenCommands, command);
}

async function token(command: keyof typeof tokenCommands, args: Arguments): Promise<string> {
  const { settings, principals } = await settingsFor(args);
  const stateDir = preparedStateDir(settings, process.env, homedir());
  return tokenCommands[command](args, {
    tokens: composeTokens(stateDir),
    lastUses: () => new LastUses(tokenUsesPath(stateDir), systemClock).read(),
    principals: [...new Set([owner, ...(principals?.entries.keys() ?? [])])],
    now: Date.now(),
  });
}
