/** The commands for the page: opening it, and the browsers that may use it. */
import { homedir } from 'node:os';
import { composeDevices } from '../app/page/compose-devices.js';
import { preparedStateDir, usable } from '../app/state/prepared-state-dir.js';
import { deviceCommands } from '../commands/device.js';
import { open } from '../commands/open.js';
import { readPassword } from '../commands/read-password.js';
import type { Arguments } from '../config/arguments.js';
import { owner } from '../config/principals.js';
import { systemClock } from '../core/clock.js';
import { openFile } from '../platform/open-file.js';
import { fitted } from './fitted.js';
import { settingsFor } from './program.js';

type PageCommand = 'open' | keyof typeof deviceCommands;

export async function pageCommand(command: PageCommand, args: Arguments): Promise<string> {
  const { settings, principals } = await settingsFor(args);
  const stateDir = preparedStateDir(settings, process.env, homedir());
  const devices = await usable(Promise.resolve().then(() => composeDevices(stateDir, systemClock)));
  const write = (text: string): void => void process.stderr.write(text);
  if (command !== 'open')
    return deviceCommands[command](args, {
      ...devices,
      lastUses: () => devices.uses.read(),
      readPassword: () => readPassword({ input: process.stdin, write }),
      now: Date.now(),
    });
  const { text, notes } = await usable(
    open(args, {
      ...devices,
      pages: await devices.addresses.find(),
      principals: [...new Set([owner, ...(principals?.entries.keys() ?? [])])],
      now: Date.now(),
      openFile: (path) => openFile(path, process.env),
    }),
  );
  for (const note of notes) write(`${fitted(note, process.stderr)}\n`);
  return text;
}
