import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { CredentialFile, CredentialFileError, type Exclusively } from '../auth/credential-file.js';
import { hashOf, hasHash, newSecret, sha256Pattern } from '../auth/secrets.js';
import { uniqueName } from './device-name.js';

const hash = z.string().regex(sha256Pattern);

const deviceSchema = z.strictObject({
  deviceId: z.string(),
  name: z.string(),
  principal: z.string(),
  /** The two halves of its credential. Each alone is useless. */
  cookieSha256: hash,
  keySha256: hash,
  createdAt: z.number(),
  expiresAt: z.number(),
  /** The only server that accepts the device, if that has no fixed port. The device ends with it. */
  server: z.string().optional(),
});

const fileSchema = z.strictObject({ devices: z.array(deviceSchema) });

export type SavedDevice = Readonly<z.infer<typeof deviceSchema>>;

export interface NewDevice {
  /** As the browser describes itself. */
  readonly name: string;
  readonly principal: string;
  readonly now: number;
  readonly server?: string | undefined;
}

/** Sent by a device with every request. */
export interface DeviceSecrets {
  readonly cookie: string;
  readonly key: string;
}

interface SentSecrets {
  readonly cookies: readonly string[];
  readonly key: string;
}

export interface DeviceFileSettings {
  readonly folder: string;
  readonly exclusively: Exclusively;
  /** Whether the process of a server is alive. */
  readonly isRunning: (server: string) => Promise<boolean>;
}

export const deviceLifetimeMs = 180 * 86_400_000;
/** More than a person has. Otherwise the file could grow without limit. */
const maxDevices = 200;

/** The browsers that may use the page. Only hashes of their secrets are saved. */
export class DeviceFile {
  readonly #file: CredentialFile<z.infer<typeof fileSchema>>;
  readonly #isRunning: DeviceFileSettings['isRunning'];

  constructor({ folder, exclusively, isRunning }: DeviceFileSettings) {
    this.#isRunning = isRunning;
    this.#file = new CredentialFile({
      path: join(folder, 'devices.json'),
      schema: () => fileSchema,
      item: 'device',
      renew: 'pair your devices again with "claude-code-mcp open"',
      exclusively,
    });
  }

  /** Devices that some server still accepts. Throws a CredentialFileError. */
  async list(now: number): Promise<readonly SavedDevice[]> {
    return this.#valid(await this.#saved(), now);
  }

  /** Returns the secrets, which cannot be read again. */
  add(wanted: NewDevice): Promise<{ readonly device: SavedDevice; readonly secrets: DeviceSecrets }> {
    return this.#file.change(async (content) => {
      const { now, name, ...rest } = wanted;
      const saved = await this.#valid(content?.devices ?? [], now);
      if (saved.length >= maxDevices)
        throw new CredentialFileError(
          `there are ${saved.length} devices already. Revoke some: claude-code-mcp device list`,
        );
      const secrets = { cookie: newSecret(), key: newSecret() };
      const device = {
        ...rest,
        deviceId: randomUUID(),
        name: uniqueName(
          name,
          saved.map((other) => other.name),
        ),
        cookieSha256: hashOf(secrets.cookie),
        keySha256: hashOf(secrets.key),
        createdAt: now,
        expiresAt: now + deviceLifetimeMs,
      };
      return [{ devices: [...saved, device] }, { device, secrets }];
    });
  }

  /** Undefined unless the key and one of the cookies belong to one device. */
  async find({ cookies, key }: SentSecrets, now: number): Promise<SavedDevice | undefined> {
    const found = (await this.#saved()).find(({ keySha256 }) => hasHash(key, keySha256));
    const isWhole = cookies.some((cookie) => found !== undefined && hasHash(cookie, found.cookieSha256));
    return found !== undefined && isWhole && isFresh(found, now) ? found : undefined;
  }

  /** Whether a device that was found earlier is still accepted. */
  async has(deviceId: string, now: number): Promise<boolean> {
    return (await this.#saved()).some((device) => device.deviceId === deviceId && isFresh(device, now));
  }

  /** False if there is no such device. */
  revoke(isMeant: (device: SavedDevice) => boolean): Promise<boolean> {
    return this.#file.change((content = { devices: [] }) => {
      const left = content.devices.filter((device) => !isMeant(device));
      return left.length === content.devices.length ? [content, false] : [{ devices: left }, true];
    });
  }

  async #saved(): Promise<readonly SavedDevice[]> {
    return (await this.#file.read())?.devices ?? [];
  }

  async #valid(devices: readonly SavedDevice[], now: number): Promise<SavedDevice[]> {
    const valid: SavedDevice[] = [];
    for (const device of devices) {
      const { server } = device;
      if (isFresh(device, now) && (server === undefined || (await this.#isRunning(server))))
        valid.push(device);
    }
    return valid;
  }
}

function isFresh({ expiresAt }: SavedDevice, now: number): boolean {
  return now < expiresAt;
}
