import type { Clock } from '../../core/clock.js';
import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { RefusalReason } from '../../core/observability/measurements.js';
import type { Device } from '../../page/contract.js';
import type { Identity } from '../auth/identity.js';
import type { LastUses } from '../auth/last-uses.js';
import { networkOf } from '../auth/network.js';
import type { RateLimit } from '../auth/rate-limit.js';
import type { RunningLimit } from '../auth/running-limit.js';
import { deviceLifetimeMs, type DeviceFile, type SavedDevice } from '../devices/device-file.js';
import type { PairingCodes } from '../devices/pairing-codes.js';
import type { PasswordFile } from '../devices/password-file.js';
import type { Exchange } from '../exchange.js';
import type { GuardSettings } from '../guards.js';
import type { Refusals } from '../refusals.js';
import { cookieFor } from './cookie.js';
import { problemAnswer, type Problem, type ProblemDetails } from './problems.js';

export interface PageLoginSettings {
  readonly devices: DeviceFile;
  readonly codes: PairingCodes;
  readonly password: PasswordFile;
  readonly uses: LastUses;
  readonly guards: GuardSettings;
  readonly refusals: Refusals;
  /** The principal of the password. */
  readonly owner: string;
  readonly isPrincipal: (name: string) => boolean;
  /** Devices that this server pairs end with it. Undefined: they outlive it. */
  readonly server: string | undefined;
  /** By principal, apart from those of its clients. */
  readonly requests: RateLimit;
  /** By principal and device. */
  readonly running: RunningLimit;
  /** By the network of the peer. */
  readonly failures: RateLimit;
  /** By the network of the peer. Passwords can be guessed, so also correct ones are refused at the limit. */
  readonly guesses: RateLimit;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Attempt {
  readonly request: Request;
  readonly exchange: Exchange;
}

/** Decides which browser sends a request, and pairs new ones. */
export class PageLogin {
  readonly #settings: PageLoginSettings;

  constructor(settings: PageLoginSettings) {
    this.#settings = settings;
  }

  /** The device that sends a request, or the refusal as an answer. */
  async admit(attempt: Attempt): Promise<SavedDevice | Response> {
    const { requests, running: limit, isPrincipal, uses } = this.#settings;
    const found = await this.#signedIn(attempt);
    if (found instanceof Response) return found;
    const sender = identityOf(found);
    if (!isPrincipal(found.principal))
      return this.#refuse('signed_out', 'unknown_principal', attempt, { sender });
    const { principal, deviceId } = found;
    const running = { principal, credential: `device:${deviceId}`, mayApprove: true };
    // Apart from its clients: a script must not keep a person from stopping it.
    const wait =
      requests.take(JSON.stringify([principal, 'devices'])) ||
      (limit.begin(running, attempt.exchange.closed) ? 0 : 1);
    if (wait > 0) return this.refuseBusy(found, attempt, wait);
    uses.note(found.deviceId);
    attempt.exchange.admitted?.();
    return found;
  }

  /** Of a device whose principal has too much running. */
  refuseBusy(device: SavedDevice, attempt: Attempt, retryAfter = 1): Response {
    const sender = identityOf(device);
    return this.#refuse('too_many_requests', 'too_many_requests', attempt, { sender, retryAfter });
  }

  /** The refusal of a device that was admitted, if it has been revoked since: its call may arrive for half a minute. */
  async refuseEnded(attempt: Attempt): Promise<Response | undefined> {
    const found = await this.#signedIn(attempt);
    return found instanceof Response ? found : undefined;
  }

  /** Pairs the browser that knows a code of `open`. */
  async pair({ code, name }: { readonly code: string; readonly name: string }, attempt: Attempt) {
    const { codes, clock, isPrincipal } = this.#settings;
    return this.#checked(attempt, async () => {
      const principal = await codes.use(code, clock.now());
      if (principal === undefined || !isPrincipal(principal))
        return this.#failed('wrong_code', 'wrong_code', attempt);
      const present = await this.#identify(attempt.request);
      // Anyone can make a browser follow a link: one principal must not receive the prompts of another.
      if (typeof present !== 'string' && present.principal !== principal)
        return this.#refuse('other_principal', 'wrong_code', attempt, { sender: identityOf(present) });
      return this.#add(name, principal, attempt);
    });
  }

  async signIn({ password, name }: { readonly password: string; readonly name: string }, attempt: Attempt) {
    const { password: saved, guesses, owner } = this.#settings;
    return this.#checked(attempt, async () => {
      const retryAfter = guesses.take(networkOf(attempt.exchange.peer));
      if (retryAfter > 0)
        return this.#refuse('too_many_failures', 'too_many_failures', attempt, { retryAfter });
      if (!(await saved.isSet())) return this.#failed('no_password', 'wrong_password', attempt);
      const isRight = await saved.matches(password);
      if (isRight === undefined)
        return this.#refuse('too_many_failures', 'too_many_failures', attempt, { retryAfter: 5 });
      return isRight
        ? this.#add(name, owner, attempt)
        : this.#failed('wrong_password', 'wrong_password', attempt);
    });
  }

  /** The devices of one principal. */
  async devicesOf({ principal, deviceId: own }: SavedDevice): Promise<readonly Device[]> {
    const { devices, clock, uses } = this.#settings;
    const times = await uses.read();
    const saved = await devices.list(clock.now());
    return saved
      .filter((device) => device.principal === principal)
      .map(({ deviceId, name, createdAt }) => ({
        deviceId,
        name,
        createdAt,
        lastUsedAt: times[deviceId] ?? createdAt,
        isThis: deviceId === own,
      }));
  }

  /** False if this principal has no such device. */
  revoke(deviceId: string, { principal }: SavedDevice): Promise<boolean> {
    return this.#settings.devices.revoke(
      (device) => device.deviceId === deviceId && device.principal === principal,
    );
  }

  hasPassword(): Promise<boolean> {
    return this.#settings.password.isSet();
  }

  /** Removes the cookie of a device that signs out. */
  forget(request: Request): string {
    return cookieFor(request, this.#settings.guards).write('', 0);
  }

  async #signedIn(attempt: Attempt): Promise<SavedDevice | Response> {
    const found = await this.#identify(attempt.request);
    if (typeof found !== 'string') return found;
    return found === 'login_unavailable'
      ? this.#refuse('login_unavailable', found, attempt)
      : this.#failed('signed_out', found, attempt);
  }

  async #identify(request: Request): Promise<SavedDevice | RefusalReason> {
    const { devices, guards, clock, server } = this.#settings;
    const cookies = cookieFor(request, guards).readAll(request);
    const key = request.headers.get('page-key') ?? undefined;
    if (cookies.length === 0 && key === undefined) return 'no_device';
    if (cookies.length === 0 || key === undefined) return 'wrong_device';
    try {
      const found = await devices.find({ cookies, key }, clock.now());
      const isOurs = found?.server === undefined || found.server === server;
      return found !== undefined && isOurs ? found : 'wrong_device';
    } catch (error) {
      return this.#unavailable(error);
    }
  }

  async #add(name: string, principal: string, { request, exchange }: Attempt): Promise<Response> {
    const { devices, clock, server, guards, uses } = this.#settings;
    const { device, secrets } = await devices.add({ name, principal, now: clock.now(), server });
    uses.note(device.deviceId);
    // Its code is used up: the answer must arrive, however many requests strangers send from the same address.
    exchange.admitted?.();
    const { deviceId, name: saved, createdAt } = device;
    const paired = {
      device: { deviceId, name: saved, createdAt, lastUsedAt: createdAt, isThis: true },
      key: secrets.key,
    };
    const cookie = cookieFor(request, guards).write(secrets.cookie, deviceLifetimeMs / 1_000);
    return Response.json(paired, { headers: { 'set-cookie': cookie } });
  }

  /** Fails closed while the files of the devices cannot be used. */
  async #checked(attempt: Attempt, check: () => Promise<Response>): Promise<Response> {
    try {
      return await check();
    } catch (error) {
      return this.#refuse('login_unavailable', this.#unavailable(error), attempt);
    }
  }

  #unavailable(error: unknown): 'login_unavailable' {
    this.#settings.logger.log('error', 'the devices cannot be read', { reason: messageOf(error) });
    return 'login_unavailable';
  }

  async #failed(problem: Problem, reason: RefusalReason, attempt: Attempt): Promise<Response> {
    const retryAfter = this.#settings.failures.take(networkOf(attempt.exchange.peer));
    if (retryAfter > 0)
      return this.#refuse('too_many_failures', 'too_many_failures', attempt, { retryAfter });
    const hasPassword = await this.hasPassword().catch(() => false);
    return this.#refuse(problem, reason, attempt, { hasPassword });
  }

  #refuse(
    problem: Problem,
    reason: RefusalReason,
    { request, exchange }: Attempt,
    { sender, ...details }: ProblemDetails & { readonly sender?: Identity } = {},
  ): Response {
    this.#settings.refusals.note(reason, request, exchange, sender);
    return problemAnswer(problem, details);
  }
}

/** For leases and the audit log. */
export function identityOf({ principal, name, deviceId, expiresAt }: SavedDevice): Identity {
  return { principal, credential: name, scopes: [], tokenId: deviceId, expiresAt: expiresAt / 1_000 };
}
