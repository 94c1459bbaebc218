/** The built server as a child process, with a real MCP client of either era connected to it. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  Client,
  type CallToolResult,
  type ClientCapabilities,
  type Progress,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { ChildTransport, type Exit } from './child-transport.js';
import type { Sandbox } from './sandbox.js';
import type { AnswerJson } from './answer-json.js';
import { serverEntry } from './server-entry.js';

export type Era = 'modern' | 'legacy';

export type ServerOptions = {
  readonly sandbox: Sandbox;
  readonly era: Era;
  readonly model?: { readonly url: string };
  /** Added to the sandbox's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Default: the sandbox's project folder. */
  readonly cwd?: string;
  readonly capabilities?: ClientCapabilities;
  /** Default: the built `dist/claude-code-mcp.js`. */
  readonly entry?: string;
};

type CallOptions = {
  readonly onprogress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
};

export type ToolReply = {
  readonly text: string;
  readonly isError: boolean;
  /** The parsed text. An error has none, and reading it fails the test. */
  readonly json: AnswerJson;
};

export type ServerClient = {
  readonly client: Client;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolReply>;
  stderr(): string;
  /** What a person does in the meantime; on a fake clock it takes no time. */
  takesTime(ms: number): Promise<void>;
  /** The raw JSON-RPC lines. */
  stdout(): string;
  /** Lines on stdout that are not JSON-RPC. Must stay empty. */
  strayLines(): readonly string[];
  /** Sends bytes as they are, which no well-behaved client would. */
  write(bytes: string | Uint8Array): void;
  /** Stops reading until the returned function is called. */
  holdReading(): () => void;
  /** Closes stdin only, without waiting for the process to exit. */
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  /** Ends the input and waits for the exit. Kills a server that takes too long, and then fails. */
  close(): Promise<void>;
};

const CONNECT_LIMIT_MS = 20_000;

export const NEGOTIATION: Record<Era, VersionNegotiationOptions> = {
  modern: { mode: { pin: '2026-07-28' } },
  legacy: { mode: 'legacy' },
};

export async function connectServer(options: ServerOptions): Promise<ServerClient> {
  const { sandbox, era, model, env, args = [], cwd = sandbox.project, capabilities = {} } = options;
  const transport = new ChildTransport({
    command: process.execPath,
    args: [options.entry ?? serverEntry, ...args],
    env: { ...sandbox.env(model), ...env },
    cwd,
  });
  const client = new Client(
    { name: `kit-${era}`, version: '1.0.0' },
    { capabilities, versionNegotiation: NEGOTIATION[era] },
  );
  try {
    await client.connect(transport, { timeout: CONNECT_LIMIT_MS });
  } catch (error) {
    transport.kill('SIGKILL');
    throw new Error(`The server did not connect. Its stderr: ${transport.stderr || '(empty)'}`, {
      cause: error,
    });
  }

  return {
    client,
    // A connected transport has a process.
    pid: transport.pid ?? -1,
    exited: transport.exited,
    call: async (name, args = {}, { timeout = 60_000, ...rest } = {}) =>
      toReply(await client.callTool({ name, arguments: args }, { timeout, ...rest })),
    stderr: () => transport.stderr,
    takesTime: (ms) => pause(ms),
    stdout: () => transport.stdout,
    strayLines: () => transport.strayLines,
    write: (bytes) => transport.write(bytes),
    holdReading: () => transport.holdReading(),
    endInput: () => transport.endInput(),
    kill: (signal) => transport.kill(signal),
    close: () => close(client, transport),
  };
}

async function close(client: Client, transport: ChildTransport): Promise<void> {
  await client.close();
  await transport.exited;
  if (transport.outlivedInput)
    throw new Error(`The server outlived its input and was killed.\n${transport.stderr}`);
}

export function toReply(result: CallToolResult): ToolReply {
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return {
    text,
    isError: result.isError === true,
    get json(): AnswerJson {
      try {
        return JSON.parse(text) as AnswerJson;
      } catch {
        throw new Error(`The answer is not JSON: ${text}`);
      }
    },
  };
}
