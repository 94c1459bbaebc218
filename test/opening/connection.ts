import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { Opening, type OpeningAnswers } from '../../src/opening/opening.js';
import { OpeningStdio } from '../../src/opening/opening-stdio.js';
import { startStdio } from '../../src/transports/stdio.js';

export interface Conversation {
  /** Everything that the client received, sorted: requests may be answered in any order. */
  readonly received: readonly string[];
  /** How many messages were answered from stored answers, or needed no answer. */
  readonly passed: number;
  readonly logged: readonly unknown[];
}

/** The last request, which every server refuses. */
const last = '{"jsonrpc":"2.0","id":"last","method":"no/such/method"}';

/** Sends lines to a server, with stored answers or without. */
export async function converse(
  lines: readonly string[],
  factory: McpServerFactory,
  answers: OpeningAnswers | undefined,
): Promise<Conversation> {
  const input = new PassThrough();
  const output = new PassThrough();
  const logged: unknown[] = [];
  const logger = { log: (...entry: unknown[]) => void (entry[0] === 'error' && logged.push(entry)) };
  let received = '';
  output.on('data', (chunk: Buffer) => (received += chunk.toString()));
  const opening = answers && new OpeningStdio({ input, output }, new Opening(answers));
  input.write([...lines, last].map((line) => `${line}\n`).join(''));
  const opened = (await opening?.over) ?? { passed: [], input, output };
  const server = startStdio(factory, logger, opened);
  while (!received.includes('"id":"last"')) await nextTurn();
  // Some handlers take a few turns more than the refusal.
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  await server.close();
  return {
    // oxlint-disable-next-line unicorn/no-array-sort -- a new list
    received: received.trim().split('\n').sort(),
    passed: opened.passed.length,
    logged,
  };
}
