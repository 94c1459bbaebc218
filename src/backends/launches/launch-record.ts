import { asNumber, asText, ownValue } from '../../core/json.js';
import type { ProcessIdentity } from '../../core/processes.js';

/** What identifies the processes of a launch. */
export interface KnownLaunch {
  /** `KEY=VALUE` in the environment of Claude Code and its descendants. */
  readonly marker: string;
  /** Undefined until it has started. */
  readonly claude?: ProcessIdentity | undefined;
  /** The user that runs it. Undefined: the user of the server. */
  readonly uid?: number | undefined;
}

export interface ServerIdentity extends ProcessIdentity {
  /** Pids mean the same only to servers with the same value. */
  readonly space: string;
}

/** A launch on disk, for the server that finds it when its own server has died. */
export interface LaunchRecord extends KnownLaunch {
  /** Undefined until the server has looked itself up. */
  readonly server?: ServerIdentity | undefined;
}

/** Undefined for anything that we did not write: it decides which processes are killed. */
export function toLaunchRecord(value: unknown): LaunchRecord | undefined {
  const launch = toKnownLaunch(value);
  if (launch === undefined) return undefined;
  const server = toIdentity(ownValue(value, 'server'));
  const space = asText(ownValue(value, 'server', 'space'));
  return server === undefined || space === undefined ? launch : { ...launch, server: { ...server, space } };
}

export function toKnownLaunch(value: unknown): KnownLaunch | undefined {
  const marker = asText(ownValue(value, 'marker'));
  // A variable that others share, such as HOME, would select all processes of the user.
  if (marker === undefined || !/^[A-Z_]+=\d+\.[0-9a-f-]{36}$/.test(marker)) return undefined;
  const claude = toIdentity(ownValue(value, 'claude'));
  const uid = asNumber(ownValue(value, 'uid'));
  return {
    marker,
    ...(claude === undefined ? {} : { claude }),
    ...(uid === undefined ? {} : { uid }),
  };
}

function toIdentity(value: unknown): ProcessIdentity | undefined {
  const pid = asNumber(ownValue(value, 'pid'));
  const startTime = asText(ownValue(value, 'startTime'));
  return pid === undefined || startTime === undefined ? undefined : { pid, startTime };
}
