import { commands, type Command, type CommandName } from '../config/commands.js';
import { ConfigError } from '../config/config-error.js';
import { depthVariable } from '../config/settings.js';
import { isBelowProcessWith } from '../platform/ancestry.js';

/** Otherwise Claude could approve its own requests, or give itself the means. */
export async function refuseInSession(
  command: CommandName,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<void> {
  const { isForPeople }: Command = commands[command];
  if (isForPeople !== true) return;
  if ((environment[depthVariable] ?? '') !== '' || (await isBelowProcessWith(depthVariable)))
    throw new ConfigError(`${command}: cannot be used inside a session. Run it in a terminal of your own.`);
}
