/**
 * The commands that need HTTP. A program of its own, so that the server over stdin and stdout neither contains nor loads
 * any of it.
 */
import { homedir } from 'node:os';
import { openBridge } from '../app/compose-bridge.js';
import { createService } from '../app/compose-service.js';
import { composeTokens, preparedStateDir } from '../app/compose-tokens.js';
import type { Target } from '../bridge/link.js';
import { serviceAddress, serviceToken } from '../commands/connect.js';
import { banner, bannerJson } from '../commands/serve.js';
import { tokenCommands } from '../commands/token.js';
import { isServiceCommand, type Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import { owner } from '../config/principals.js';
import { depthVariable } from '../config/settings.js';
import { systemClock } from '../core/clock.js';
import type { Redactor } from '../core/observability/redactor.js';
import { TokenUses } from '../http/auth/token-uses.js';
import { watchParent } from '../platform/parent-watch.js';
import { runProgram, settingsFor } from './program.js';
import { appConfigOf, endInOrder, loggerFor } from './run.js';

await runProgram(async (args, redactor) => {
  const { command } = args;
  if (!isServiceCommand(command) || command === 'serve') return serve(args, redactor);
  if (command === 'connect') return connect(args, redactor);
  process.stdout.write(await token(command, args));
});

async function serve(args: Arguments, redactor: Redactor): Promise<void> {
  const loaded = await settingsFor(args);
  const config = await appConfigOf(loaded, redactor, import.meta.url);
  const service = await createService(config, loaded.principals);
  endInOrder(service, config.logger);
  const isStyled = process.stdout.isTTY && !process.env['NO_COLOR'];
  process.stdout.write(args.json ? bannerJson(service) : banner(service, { isStyled, notes: service.notes }));
}

/** Its client sees the service as if it were a server on stdin and stdout. */
async function connect(args: Arguments, redactor: Redactor): Promise<void> {
  // Otherwise Claude could approve its own requests.
  refuseInSession('connect');
  const { settings } = await settingsFor(args);
  const logger = loggerFor(settings, redactor);
  const target = targetOf(args);
  redactor.learn([target.token]);
  const bridge = await openBridge(async () => target, logger);
  const end = endInOrder(bridge, logger);
  void bridge.ended.then(() => end(0));
  watchParent(() => end(0), logger);
}

function targetOf({ operand, own }: Arguments): Target {
  if (operand === undefined) throw new ConfigError('connect needs the address of a service.');
  return { url: serviceAddress(operand), token: serviceToken(own['token-file'], process.env) };
}

function refuseInSession(command: string): void {
  if ((process.env[depthVariable] ?? '') !== '')
    throw new ConfigError(`${command}: cannot be used inside a session. Run it in a terminal of your own.`);
}

async function token(command: keyof typeof tokenCommands, args: Arguments): Promise<string> {
  // Otherwise Claude could give itself a token, and approve its own requests.
  refuseInSession(command);
  const { settings, principals } = await settingsFor(args);
  const stateDir = preparedStateDir(settings, process.env, homedir());
  return tokenCommands[command](args, {
    tokens: composeTokens(stateDir),
    lastUses: () => new TokenUses(stateDir, systemClock).read(),
    principals: [...new Set([owner, ...(principals?.entries.keys() ?? [])])],
    now: Date.now(),
  });
}
