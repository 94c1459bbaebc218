/** The built service as a child process, with real MCP clients of either era connected to it over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  Client,
  StreamableHTTPClientTransport,
  type ClientCapabilities,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Sandbox } from './sandbox.js';
import { NEGOTIATION, toReply, type Era, type ServerClient } from './server-client.js';
import { serverEntry } from './server-entry.js';

export interface ServiceOptions {
  readonly sandbox: Sandbox;
  readonly model?: { readonly url: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

export interface RunningService {
  readonly url: string;
  readonly pid: number;
  /** Only after the first start in a state folder. */
  readonly token: string | undefined;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
}

/** Starts `serve --json` on a free port. It ends with the test. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { sandbox, model, env, args = [] } = options;
  const child = spawn(
    process.execPath,
    [serverEntry, 'serve', ...(args.includes('--port') ? [] : ['--port', '0']), '--json', ...args],
    {
      env: { ...sandbox.env(model), ...env },
      cwd: sandbox.project,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([first]) => String(first)),
    exited.then((code) => Promise.reject(new Error(`The service exited with ${code}.\n${stderr}`))),
  ]);
  const { url, pid, token } = JSON.parse(line) as { url: string; pid: number; token?: string };
  return { url, pid, token, exited, stderr: () => stderr, kill: (signal) => child.kill(signal) };
}

export interface HttpClientOptions {
  readonly era: Era;
  readonly token?: string | undefined;
  readonly capabilities?: ClientCapabilities;
  /** For a client that sees or disturbs its own connections. */
  readonly fetch?: FetchLike;
}

export type HttpClient = Pick<ServerClient, 'client' | 'call'>;

/** Connects a client to a service. It disconnects with the test. */
export async function connectHttp(url: string, options: HttpClientOptions): Promise<HttpClient> {
  const { era, token, capabilities = {}, fetch } = options;
  const client = new Client(
    { name: `kit-${era}`, version: '1.0.0' },
    { capabilities, versionNegotiation: NEGOTIATION[era] },
  );
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transportOptions = { requestInit: { headers }, ...(fetch && { fetch }) };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), transportOptions));
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name, args = {}, { timeout = 60_000, ...rest } = {}) =>
      toReply(await client.callTool({ name, arguments: args }, { timeout, ...rest })),
  };
}
