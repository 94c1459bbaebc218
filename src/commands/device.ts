import type { Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import type { UseTimes } from '../http/auth/last-uses.js';
import type { DeviceFile } from '../http/devices/device-file.js';
import { maxPasswordChars, minPasswordChars, type PasswordFile } from '../http/devices/password-file.js';
import { dateOf, table } from './table.js';
import { withReasons } from './with-reasons.js';

export interface DeviceCommandSettings {
  readonly devices: DeviceFile;
  readonly password: PasswordFile;
  readonly lastUses: () => Promise<UseTimes>;
  /** Asks the person for a new password. */
  readonly readPassword: () => Promise<string>;
  readonly now: number;
}

type Wanted = Pick<Arguments, 'operand' | 'own' | 'json'>;

type DeviceCommand = (args: Wanted, settings: DeviceCommandSettings) => Promise<string>;

/** The output of each device command. */
export const deviceCommands: Readonly<
  Record<'device list' | 'device revoke' | 'device password', DeviceCommand>
> = {
  'device list': (args, settings) => withReasons(() => list(args, settings)),
  'device revoke': (args, settings) => withReasons(() => revoke(args, settings)),
  'device password': (args, settings) => withReasons(() => setPassword(args, settings)),
};

async function list({ json }: Wanted, { devices, lastUses, now }: DeviceCommandSettings): Promise<string> {
  const uses = await lastUses();
  const rows = (await devices.list(now)).map(({ deviceId, name, principal, createdAt, expiresAt }) => ({
    name,
    principal,
    createdAt: dateOf(createdAt),
    expiresAt: dateOf(expiresAt),
    lastUsedAt: dateOf(uses[deviceId] ?? createdAt),
    deviceId,
  }));
  if (json) return `${JSON.stringify(rows)}\n`;
  if (rows.length === 0) return 'No browser is signed in to the page. To sign one in: claude-code-mcp open\n';
  return table([
    ['NAME', 'PRINCIPAL', 'SIGNED IN', 'EXPIRES', 'LAST USED'],
    ...rows.map((row) => [row.name, row.principal, row.createdAt, row.expiresAt, row.lastUsedAt]),
  ]);
}

async function revoke({ operand: name = '' }: Wanted, { devices }: DeviceCommandSettings): Promise<string> {
  if (!(await devices.revoke((device) => device.name === name || device.deviceId === name)))
    throw new ConfigError(
      `there is no device named ${name}. List the names with: claude-code-mcp device list`,
    );
  return `Signed ${name} out. A running server refuses it from now on.\n`;
}

async function setPassword({ own }: Wanted, settings: DeviceCommandSettings): Promise<string> {
  const { password, readPassword } = settings;
  if (own.remove !== undefined)
    return (await password.remove())
      ? 'Removed the password. Browsers stay signed in.\n'
      : 'There is no password.\n';
  const typed = await readPassword();
  if (typed.length < minPasswordChars || typed.length > maxPasswordChars)
    throw new ConfigError(
      `the password must have ${minPasswordChars} to ${maxPasswordChars} characters. Nothing was changed.`,
    );
  await password.set(typed);
  return 'Saved the password. You can now sign in with it on the page.\n';
}
