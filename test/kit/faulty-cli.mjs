#!/usr/bin/env node
/**
 * Replaces the `claude` binary and misbehaves in the mode FAULTY_CLI (see faulty-cli-modes.mjs).
 * FAULTY_CLI_COUNT: the number of events that `flood` and `drip` send. FAULTY_CLI_LOG: a file that receives argv and all input.
 * FAULTY_CLI_STDERR: printed to stderr first.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createMessages, INITIALIZE_RESPONSE, INTERRUPTED } from './faulty-cli-messages.mjs';
import { modes } from './faulty-cli-modes.mjs';

const { FAULTY_CLI = 'ok', FAULTY_CLI_COUNT = '10000', FAULTY_CLI_LOG, FAULTY_CLI_STDERR } = process.env;
const argv = process.argv.slice(2);
const mode = modes[FAULTY_CLI];
if (!mode) throw new Error(`FAULTY_CLI must be one of: ${Object.keys(modes).join(', ')}`);

if (argv.includes('--version') && !mode.hidesVersion) {
  process.stdout.write(`${mode.version ?? '2.1.325 (Claude Code)'}\n`);
  process.exit(0);
}

const say = createMessages({
  mcpServers: configuredServers(),
  sessionId: flag('session-id') ?? flag('resume') ?? randomUUID(),
  permissionMode: flag('permission-mode') ?? 'default',
  version: mode.runs,
});
const asked = new Map();
const queue = [];
let running;
let inputIsOver = false;

log({ argv, pid: process.pid });
if (FAULTY_CLI_STDERR) process.stderr.write(`${FAULTY_CLI_STDERR}\n`);
if (mode.stubborn) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => log({ ignored: signal }));
  setInterval(() => {}, 60_000);
}
mode.start?.(createCli({}));
createInterface({ input: process.stdin }).on('line', receive).on('close', endInput);

function receive(line) {
  log({ received: line });
  const message = JSON.parse(line);
  if (message.type === 'control_request') answer(message);
  if (message.type === 'control_response') asked.get(message.response.request_id)?.(message.response);
  if (message.type !== 'user') return;
  queue.push(message);
  if (!running) void runQueue();
}

async function runQueue() {
  for (let prompt = queue.shift(); prompt; prompt = queue.shift()) await runTurn(prompt);
  if (inputIsOver) leave(0);
}

async function runTurn(prompt) {
  const turn = { prompt };
  const interrupted = new Promise((resolve) => {
    turn.interrupt = () => resolve('interrupted');
  });
  running = turn;
  const outcome = await Promise.race([mode.turn(createCli(turn)), interrupted]);
  turn.over = true;
  running = undefined;
  if (outcome !== 'interrupted') return;
  write(say.userText('[Request interrupted by user]'));
  write(say.result(prompt, undefined, INTERRUPTED));
}

function answer({ request_id, request }) {
  if (mode.answers && !mode.answers.includes(request.subtype)) return;
  const responses = {
    initialize: { ...INITIALIZE_RESPONSE, ...mode.initialized },
    interrupt: { still_queued: queue.map(({ uuid }) => uuid) },
  };
  const response = { subtype: 'success', request_id, response: responses[request.subtype] ?? {} };
  write({ type: 'control_response', response });
  if (request.subtype === 'interrupt') running?.interrupt();
}

// Like Claude Code: finishes the running turn first, but abandons a turn that can never finish.
function endInput() {
  log({ inputEnded: true });
  if (mode.stubborn) return;
  inputIsOver = true;
  for (const settle of asked.values()) settle({ subtype: 'error', error: 'The input ended first' });
  if (!running || running.hanging) leave(0);
}

/** The functions that a mode may call. An interrupted turn sends nothing more. */
function createCli(turn) {
  const send = (message) => {
    if (!turn.over) write(message);
  };
  return {
    say,
    prompt: turn.prompt,
    count: Number(FAULTY_CLI_COUNT),
    send,
    begin() {
      if (turn.prompt.uuid) send(say.started(turn.prompt));
      send(say.init());
    },
    text: (text) => send(say.text(text)),
    result: (text, fields) => send(say.result(turn.prompt, text, fields)),
    raw: (bytes) => void process.stdout.write(bytes),
    /** Resolves when the reader has caught up. */
    caughtUp: async () => {
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    },
    ask: (request) =>
      new Promise((resolve) => {
        const request_id = randomUUID();
        asked.set(request_id, resolve);
        send({ type: 'control_request', request_id, request });
      }),
    hang() {
      if (inputIsOver) leave(0);
      turn.hanging = true;
      return new Promise(() => {});
    },
    exit(code, complaint) {
      if (complaint) process.stderr.write(`${complaint}\n`);
      leave(code);
      return new Promise(() => {});
    },
  };
}

function write(message) {
  process.stdout.write(`${JSON.stringify(message)}
`);
}

// A pipe may still hold megabytes. The callback of an empty write runs after all of them are read.
function leave(code) {
  process.stdout.write('', () => process.exit(code));
}

function flag(name) {
  const joined = argv.find((value) => value.startsWith(`--${name}=`));
  if (joined) return joined.slice(name.length + 3);
  const index = argv.indexOf(`--${name}`);
  return index < 0 ? undefined : argv[index + 1];
}

/** The servers are never started, because the faulty CLI asks nothing. */
function configuredServers() {
  const path = flag('mcp-config');
  const names = path ? Object.keys(JSON.parse(readFileSync(path, 'utf8')).mcpServers) : [];
  return names.map((name) => ({ name, status: 'connected' }));
}

function log(entry) {
  if (FAULTY_CLI_LOG) appendFileSync(FAULTY_CLI_LOG, `${JSON.stringify(entry)}\n`);
}
