/** The page of a built server: its commands, and a client that signs in like a browser. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CallName, Calls } from '../../src/page/contract.js';
import { headersOf, jarOf } from './page-scene.js';
import type { Sandbox } from './sandbox.js';
import { serverEntry } from './server-entry.js';

/** The built program. */

/** Runs a command as the person would in a terminal. Rejects if it fails. */
export async function runCommand(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [serverEntry, ...args], {
    env: sandbox.env(),
    cwd: sandbox.project,
    timeout: 20_000,
  });
  return stdout;
}

/** A fresh pairing link. */
export async function pairingLink(sandbox: Sandbox): Promise<URL> {
  return new URL((await runCommand(sandbox, 'open', '--print')).trim());
}

export interface PageClient {
  readonly origin: string;
  readonly deviceId: string;
  /** What its browser sends with every request. */
  readonly headers: Readonly<Record<string, string>>;
  call<Name extends CallName>(name: Name, input: Calls[Name]['input']): Promise<Calls[Name]['output']>;
}

/** Pairs without a browser, for tests that need none. */
export async function pairClient(sandbox: Sandbox, name = 'Kit'): Promise<PageClient> {
  const { origin, hash } = await pairingLink(sandbox);
  const post = (call: string, input: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${origin}/api/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(input),
    });
  const jar = await jarOf(await post('pair', { code: hash.replace('#pair=', ''), name }));
  const headers = headersOf(jar);
  return {
    origin,
    deviceId: jar.deviceId,
    headers,
    async call(call, input) {
      const response = await post(call, input, headers);
      if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`);
      return (await response.json()) as never;
    },
  };
}
