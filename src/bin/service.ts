/**
 * The commands that need HTTP. A program of its own, so that the server over stdin and stdout neither contains nor loads
 * any of it.
 */
import { homedir } from 'node:os';
import { createService } from '../app/compose-service.js';
import { composeTokens, preparedStateDir } from '../app/compose-tokens.js';
import { banner, bannerJson } from '../commands/serve.js';
import { tokenCommands } from '../commands/token.js';
import { isServiceCommand, type Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import { owner } from '../config/principals.js';
import { depthVariable } from '../config/settings.js';
import { systemClock } from '../core/clock.js';
import type { Redactor } from '../core/observability/redactor.js';
import { TokenUses } from '../http/auth/token-uses.js';
import { runProgram, settingsFor } from './program.js';
import { appConfigOf, endInOrder } from './run.js';

await runProgram(async (args, redactor) => {
  const { command } = args;
  if (!isServiceCommand(command) || command === 'serve') return serve(args, redactor);
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

async function token(command: keyof typeof tokenCommands, args: Arguments): Promise<string> {
  // Otherwise Claude could give itself a token, and approve its own requests.
  if ((process.env[depthVariable] ?? '') !== '')
    throw new ConfigError(`${command}: cannot be used inside a session. Run it in a terminal of your own.`);
  const { settings, principals } = await settingsFor(args);
  const stateDir = preparedStateDir(settings, process.env, homedir());
  return tokenCommands[command](args, {
    tokens: composeTokens(stateDir),
    lastUses: () => new TokenUses(stateDir, systemClock).read(),
    principals: [...new Set([owner, ...(principals?.entries.keys() ?? [])])],
    now: Date.now(),
  });
}
