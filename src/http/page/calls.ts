import * as z from 'zod';
import type { Clock } from '../../core/clock.js';
import { AppError, messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { CallName, Me } from '../../page/contract.js';
import type { Desk, DeskCall, Person } from '../../page/desk.js';
import { senderOf, type FairTurns } from '../auth/fair-turns.js';
import type { Leases } from '../auth/leases.js';
import { Rooms } from '../body/room.js';
import type { SavedDevice } from '../devices/device-file.js';
import type { Exchange } from '../exchange.js';
import { HeldRequest } from '../held-request.js';
import { readJson } from './body.js';
import { identityOf, type PageLogin } from './page-login.js';
import { problemAnswer, refusedByDesk } from './problems.js';

export interface CallSettings {
  readonly login: PageLogin;
  readonly deskOf: (principal: string) => Promise<Desk>;
  readonly version: string;
  readonly leases: Leases;
  readonly isReady: () => boolean;
  /** Shared with all other requests. */
  readonly turns: Pick<FairTurns, 'next'>;
  /** For answers that the devices of a principal have not read. */
  readonly unread: Rooms;
  readonly clock: Clock;
  readonly logger: Logger;
}

type DoorCall = Exclude<CallName, DeskCall>;

/** Bodies of calls that everyone may send are short, and come with their headers. */
const maxOpenBytes = 8_192;
const maxOpenMs = 2_000;
const maxBytes = 1_048_576;

const deskCalls: ReadonlySet<string> = new Set(
  Object.keys({
    answer: true,
    sessions: true,
    session: true,
    events: true,
    toolCall: true,
    changes: true,
    usage: true,
    folders: true,
    start: true,
    reply: true,
    interrupt: true,
    cancel: true,
  } satisfies Record<DeskCall, true>),
);

const name = z.string().max(500);
const pairInput = z.strictObject({ code: z.string().max(500), name });
const signInInput = z.strictObject({ password: z.string().max(4_000), name });
const revokeInput = z.strictObject({ deviceId: z.string().max(100) });

interface Call {
  readonly request: Request;
  readonly exchange: Exchange;
}

/** Answers `POST /api/<call>`. */
export function createCalls(
  settings: CallSettings,
): (call: string, request: Request, exchange: Exchange) => Promise<Response> {
  const { login, deskOf, version, leases, isReady, turns, unread, clock, logger } = settings;

  const open: Readonly<Record<'pair' | 'signIn', (input: unknown, call: Call) => Promise<Response>>> = {
    pair: async (input, call) => parsed(pairInput, input, (data) => login.pair(data, call)),
    signIn: async (input, call) => parsed(signInInput, input, (data) => login.signIn(data, call)),
  };

  const own: Readonly<
    Record<
      Exclude<DoorCall, 'pair' | 'signIn'>,
      (input: unknown, device: SavedDevice, call: Call) => Promise<Response>
    >
  > = {
    async me(_input, device) {
      const devices = await login.devicesOf(device);
      const about = await (await deskOf(device.principal)).about();
      const { deviceId, name: deviceName, createdAt } = device;
      const me: Me = {
        device: devices.find(({ isThis }) => isThis) ?? {
          deviceId,
          name: deviceName,
          createdAt,
          lastUsedAt: createdAt,
          isThis: true,
        },
        principal: device.principal,
        version,
        hasPassword: await login.hasPassword(),
        ...about,
      };
      return Response.json(me);
    },
    devices: async (_input, device) => Response.json({ devices: await login.devicesOf(device) }),
    revoke: async (input, device) =>
      parsed(revokeInput, input, async ({ deviceId }) => {
        if (!(await login.revoke(deviceId, device))) return problemAnswer('device_not_found');
        await leases.check();
        return Response.json({});
      }),
    async signOut(_input, device, { request }) {
      await login.revoke(device.deviceId, device);
      await leases.check();
      return Response.json({}, { headers: { 'set-cookie': login.forget(request) } });
    },
  };

  const askDesk = async (
    name: DeskCall,
    input: unknown,
    device: SavedDevice,
    call: Call,
  ): Promise<Response> => {
    const { deviceId, name: deviceName, principal } = device;
    const person: Person = { deviceId, device: deviceName, principal };
    const text = JSON.stringify(await (await deskOf(principal)).call(name, input, person));
    // Some take megabytes, and stay in memory until they are read.
    const isRoom = unread.of(principal).open(call.exchange.closed)(Buffer.byteLength(text));
    if (!isRoom) return login.refuseBusy(device, call);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  };

  const rooms = new Rooms();

  const answerDevice = async (call: string, { request, exchange }: Call): Promise<Response> => {
    const device = await login.admit({ request, exchange });
    if (device instanceof Response) return device;
    if (!isKey(own, call) && !isDeskCall(call)) return problemAnswer('unknown_call');
    const hasRoom = rooms.of(device.principal).open(exchange.closed);
    const body = await readJson(request, { maxBytes, hasRoom });
    if (body === 'too_many_requests') return login.refuseBusy(device, { request, exchange });
    if (typeof body === 'string') return problemAnswer(body);
    const ended = await login.refuseEnded({ request, exchange });
    if (ended !== undefined) return ended;
    if (await leases.endsDuring(identityOf(device), turns.next(deviceSender(device)))) {
      const refused = await login.refuseEnded({ request, exchange });
      if (refused !== undefined) return refused;
    }
    try {
      return await (isKey(own, call)
        ? own[call](body.value, device, { request, exchange })
        : askDesk(call, body.value, device, { request, exchange }));
    } catch (error) {
      if (error instanceof AppError)
        return refusedByDesk(error, (await deskOf(device.principal)).explain(error));
      logger.log('error', 'a call of the page failed', { call, reason: messageOf(error) });
      return problemAnswer('server_fault');
    }
  };

  return async (call, request, exchange) => {
    if (!isReady()) return problemAnswer('shutting_down', { retryAfter: 3 });
    if (isKey(open, call)) {
      const body = await readJson(request, { maxBytes: maxOpenBytes, within: { ms: maxOpenMs, clock } });
      return typeof body === 'string' ? problemAnswer(body) : open[call](body.value, { request, exchange });
    }
    const held = new HeldRequest(exchange.closed);
    const answer = answerDevice(call, { request, exchange: { ...exchange, closed: held.ended } });
    held.until(answer);
    held.begun();
    return answer;
  };
}

/** A device takes turns with all other senders. */
export function deviceSender({ principal, deviceId }: SavedDevice): string {
  return senderOf({ principal, credential: `device:${deviceId}` });
}

async function parsed<T>(
  schema: z.ZodType<T>,
  input: unknown,
  act: (data: T) => Promise<Response>,
): Promise<Response> {
  const { success, data } = schema.safeParse(input);
  return success ? act(data) : problemAnswer('invalid_body');
}

function isDeskCall(call: string): call is DeskCall {
  return deskCalls.has(call);
}

function isKey<T extends object>(table: T, key: string): key is keyof T & string {
  return Object.hasOwn(table, key);
}
