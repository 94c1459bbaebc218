/**
 * The faults of the faulty CLI, one entry per mode. Fields of an entry:
 *   start(cli)    runs at once, before any input.
 *   turn(cli)     runs for each prompt (default: a successful turn).
 *   answers       the control requests that get an answer (default: all).
 *   stubborn      ignores the end of input, SIGINT and SIGTERM.
 *   initialized   differences from its usual answer to initialize.
 *   runs          the version in its init.
 *   version       the output of --version.
 *   hidesVersion  prints no version, as if it did not know the flag.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const GARBAGE = [
  'Segmentation fault? No, only a log line\n',
  '{"type":"assistant","message":{"role":"assis\n',
  '\n',
  '   \n',
  '\u0000\u0001\ufffd\n',
  Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]),
  '}\n',
];

const UNKNOWN = [
  { type: 'hologram', payload: { x: 1 } },
  { type: 'system', subtype: 'weather_report', outlook: 'fair' },
  { type: 'assistant', message: { role: 'assistant', content: [{ type: 'smell', scent: 'rose' }] } },
  { type: 'user', message: { role: 'user', content: [{ type: 'gesture' }] } },
  { type: 'stream_event', event: { type: 'content_block_wiggle' } },
  { type: null },
  {},
  [],
  42,
  'a lonely string',
];

const FIVE_MEGABYTES = 5 * 1024 * 1024;

/** More levels than functions can call each other. */
const DEEP = 20_000;

function goodTurn(cli) {
  cli.begin();
  cli.text('All good.');
  cli.result('All good.');
}

function startWorking(cli) {
  cli.begin();
  cli.text('Working on it');
}

async function askAndTell(cli, request) {
  cli.begin();
  const answer = await cli.ask(request);
  cli.result(JSON.stringify(answer));
}

async function writeInPieces(cli, text) {
  const line = Buffer.from(`${JSON.stringify(cli.say.text(text))}\n`);
  const insideCharacters = Array.from(line.entries()).flatMap(([index, byte]) =>
    byte >= 0x80 ? [index + 1] : [],
  );
  const cuts = [0, 7, ...insideCharacters, line.length - 1, line.length];
  for (const [index, end] of cuts.entries()) {
    cli.raw(line.subarray(cuts[index - 1] ?? 0, end));
    // Without a pause, the pipe would join the pieces.
    await pause(2);
  }
}

export const modes = {
  ok: { turn: goodTurn },

  'exit-at-once': { start: (cli) => cli.exit(1, 'faulty-cli: cannot start here') },
  silent: { answers: [], turn: (cli) => cli.hang() },
  'silent-after-initialize': { answers: ['initialize'], turn: (cli) => cli.hang() },

  'crash-mid-turn': {
    turn(cli) {
      startWorking(cli);
      return cli.exit(1, 'faulty-cli: out of luck');
    },
  },
  'kill-self-mid-turn': {
    turn(cli) {
      startWorking(cli);
      process.kill(process.pid, 'SIGKILL');
    },
  },
  'killed-beside-child': {
    turn(cli) {
      startWorking(cli);
      spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).once('spawn', () =>
        process.kill(process.pid, 'SIGKILL'),
      );
    },
  },
  'exit-without-result': {
    turn(cli) {
      startWorking(cli);
      return cli.exit(0);
    },
  },

  'closes-output': {
    answers: ['initialize'],
    turn(cli) {
      startWorking(cli);
      closeSync(1);
      return cli.hang();
    },
  },
  'crash-mid-line': {
    turn(cli) {
      startWorking(cli);
      cli.raw('{"type":"assistant","message":{"role":"assis');
      return cli.exit(1, 'faulty-cli: out of breath');
    },
  },
  'no-gate': { initialized: { hooks_applied: false }, turn: goodTurn },
  'old-version': {
    version: '1.0.128 (Claude Code)',
    start: (cli) => cli.exit(1, "error: unknown option '--strict-mcp-config'"),
  },
  'other-program': { version: 'cat (GNU coreutils) 9.4', answers: [], turn: (cli) => cli.hang() },
  'other-version-printed': { version: '1.0.128 (Claude Code)', turn: goodTurn },
  'other-version-confirmed': { initialized: { claude_code_version: '2.1.200' }, turn: goodTurn },
  'other-version-inside': { runs: '2.1.200', turn: goodTurn },
  'no-version': { hidesVersion: true, initialized: { claude_code_version: undefined }, turn: goodTurn },

  garbage: {
    turn(cli) {
      for (const speak of [cli.begin, () => cli.text('All good.'), () => cli.result('All good.')]) {
        GARBAGE.forEach(cli.raw);
        speak();
      }
    },
  },
  'garbage-only': {
    turn(cli) {
      GARBAGE.forEach(cli.raw);
      return cli.hang();
    },
  },
  // Valid JSON, but no message. The Agent SDK reads `.type` of any value that it parsed.
  'json-null': {
    turn(cli) {
      cli.begin();
      cli.raw('null\n42\n[]\n"a lonely string"\n');
      cli.text('All good.');
      cli.raw('null\n');
      cli.result('All good.');
    },
  },
  // The Agent SDK reads `request_id` of the response that is missing here.
  'empty-control-response': {
    turn(cli) {
      startWorking(cli);
      cli.send({ type: 'control_response' });
      return cli.hang();
    },
  },
  'half-line': {
    async turn(cli) {
      cli.begin();
      await writeInPieces(cli, 'Grüße, 世界 🌍');
      cli.result('All good.');
    },
  },
  'unknown-types': {
    turn(cli) {
      for (const speak of [cli.begin, () => cli.text('All good.'), () => cli.result('All good.')]) {
        UNKNOWN.forEach((message) => cli.send(message));
        speak();
      }
    },
  },
  flood: {
    async turn(cli) {
      cli.begin();
      for (let index = 0; index < cli.count; index += 1) {
        cli.text(`Event ${index}`);
        await cli.caughtUp();
      }
      cli.result(`Sent ${cli.count} events.`);
    },
  },
  drip: {
    async turn(cli) {
      cli.begin();
      for (let index = 0; index < cli.count; index += 1) {
        cli.text(`Event ${index}`);
        await pause(100);
      }
      cli.result(`Sent ${cli.count} events.`);
    },
  },
  'deep-input': {
    turn(cli) {
      cli.begin();
      const call = '{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":';
      const input = '['.repeat(DEEP) + ']'.repeat(DEEP);
      const [start, end] = JSON.stringify(cli.say.text('')).split('{"type":"text","text":""}');
      cli.raw(`${start}${call}${input}}}${end}\n`);
      return cli.hang();
    },
  },
  'huge-line': {
    turn(cli) {
      cli.begin();
      cli.text('x'.repeat(FIVE_MEGABYTES));
      cli.result('All good.');
    },
  },

  'ignores-interrupt': {
    stubborn: true,
    answers: ['initialize'],
    turn(cli) {
      startWorking(cli);
      return cli.hang();
    },
  },

  'deaf-to-interrupt': {
    answers: ['initialize'],
    turn(cli) {
      startWorking(cli);
      return cli.hang();
    },
  },

  dialog: {
    turn: (cli) =>
      askAndTell(cli, {
        subtype: 'request_user_dialog',
        dialog_kind: 'refusal_fallback_prompt',
        payload: { question: 'Use the other model?' },
      }),
  },
  elicitation: {
    turn: (cli) =>
      askAndTell(cli, {
        subtype: 'elicitation',
        mcp_server_name: 'nested',
        message: 'What is your name?',
        mode: 'form',
        requested_schema: { type: 'object', properties: { name: { type: 'string' } } },
      }),
  },

  'late-result': {
    turn(cli) {
      cli.begin();
      cli.send(cli.say.result({ uuid: randomUUID() }, 'The answer to some other prompt.'));
      cli.text('All good.');
      cli.result('All good.');
    },
  },
  'double-result': {
    turn(cli) {
      goodTurn(cli);
      cli.result('All good, again.');
    },
  },
  clear: {
    turn(cli) {
      cli.send(cli.say.conversationReset(cli.prompt));
      cli.say.moveToSession(randomUUID());
      cli.begin();
      cli.result('', { num_turns: 0, terminal_reason: undefined, stop_reason: null, local_command: 'clear' });
    },
  },
};
