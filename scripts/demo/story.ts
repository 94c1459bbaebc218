/** The demo: shows each step, then checks it against files, processes and answers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ActionJson, AnswerJson, EventJson } from '../../test/kit/answer-json.js';
import type { LiveProcess } from '../../test/kit/live-processes.js';
import type { ServerClient } from '../../test/kit/server-client.js';
import { FILE_NAME, FOLLOW_UP, HAIKU, TASK } from './plot.js';
import type { Stage } from './stage.js';
import type { Terminal } from './terminal.js';

/** A step whose check failed. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

/** Short, so that events appear as they happen and not only when a request opens. */
const GLANCE_MS = 250;
const WAIT_MS = 30_000;
const TURN_LIMIT_MS = 120_000;
const LEAVE_LIMIT_MS = 3_000;
/** Only Linux shows which processes belong to a sandbox. */
const SEES_PROCESSES = process.platform === 'linux';

export async function tellStory(stage: Stage, terminal: Terminal): Promise<void> {
  const server = await showServer(stage, terminal);
  const caller = createCaller(server, terminal);
  const startedAt = performance.now();
  const started = await showStart(stage, terminal, caller);
  const firstTurn = await showWork(stage, terminal, caller, started.snapshot);
  const firstTurnMs = performance.now() - startedAt;
  showResult(stage, terminal, firstTurn);
  await showFollowUp(stage, terminal, caller, {
    sessionId: firstTurn.sessionId,
    firstTurnMs,
    startMs: started.ms,
    serverPid: server.pid,
  });
  await showList(terminal, caller, firstTurn.sessionId);
  await showEnd(stage, terminal, server);
}

async function showServer(stage: Stage, terminal: Terminal): Promise<ServerClient> {
  terminal.step('Start the server');
  const startedAt = performance.now();
  const server = await stage.connect();
  const tookMs = performance.now() - startedAt;
  const info = server.client.getServerVersion();
  const { tools } = await server.client.listTools();
  verify(info?.name === 'claude-code-mcp', `the server reports the name ${info?.name}`);
  verify(tools.length > 0, 'the server offers no tools');
  terminal.line(`node dist/claude-code-mcp.js, pid ${server.pid}, over stdin and stdout`);
  terminal.line(`${info.name} ${info.version}, MCP ${server.client.getNegotiatedProtocolVersion()}`);
  terminal.line(`tools: ${tools.map(({ name }) => name).join(', ')}`);
  terminal.passed(`connected in ${seconds(tookMs)}`);
  return server;
}

async function showStart(
  { sandbox }: Stage,
  terminal: Terminal,
  caller: Caller,
): Promise<{ snapshot: AnswerJson; ms: number }> {
  terminal.step('Start a session');
  const startedAt = performance.now();
  const snapshot = await caller.call('claude_code', { prompt: TASK, cwd: sandbox.project, title: 'Demo' });
  const ms = performance.now() - startedAt;
  terminal.received(`session ${snapshot.sessionId}, ${snapshot.status}`);
  verify(snapshot.status === 'running', `the session is ${snapshot.status} instead of running`);
  terminal.passed(`Claude Code started in ${seconds(ms)}`);
  return { snapshot, ms };
}

/** Follows the turn to its end: shows events and answers requests. */
async function showWork(
  { sandbox }: Stage,
  terminal: Terminal,
  caller: Caller,
  started: AnswerJson,
): Promise<AnswerJson> {
  terminal.step('Claude works, and asks before it writes');
  const { sessionId } = started;
  const file = join(sandbox.project, FILE_NAME);
  const deadline = Date.now() + TURN_LIMIT_MS;
  let cursor: number | string = 0;
  let writesAllowed = 0;
  caller.show('claude_code_check', { sessionId, cursor, include: ['events'] });
  for (;;) {
    const snapshot = await caller.quietly('claude_code_check', {
      sessionId,
      cursor,
      include: ['events'],
      waitMs: GLANCE_MS,
    });
    ({ cursor } = snapshot);
    for (const event of snapshot.events ?? []) showEvent(terminal, event);
    const [action] = snapshot.actions ?? [];
    if (action !== undefined) {
      const isExpected = action.toolName === 'Write' && inputOf(action)['file_path'] === file;
      if (isExpected) writesAllowed += 1;
      showRequest(terminal, action, sandbox.root);
      await answer(caller, action, isExpected);
      continue;
    }
    if (snapshot.result !== undefined) {
      verify(writesAllowed > 0, 'nobody was asked before the file was written');
      return { ...snapshot, sessionId };
    }
    verify(Date.now() < deadline, 'the turn did not end in time');
  }
}

function showEvent(terminal: Terminal, event: EventJson): void {
  const { type, text, summary, isError } = event as EventJson & { summary?: string; isError?: boolean };
  // Requests and the result are shown elsewhere.
  if (type === 'text') terminal.received(`says: ${text}`);
  if (type === 'tool_use') terminal.received(`uses ${summary}`);
  if (type === 'tool_result')
    terminal.received(`${isError === true ? 'failed' : 'got'}: ${withoutLineNumbers(text ?? '')}`);
  if (type === 'status') terminal.received(`${text}`);
}

/** Read puts the number of each line before it. */
function withoutLineNumbers(text: string): string {
  return text.replaceAll(/^ *\d+\t/gm, '');
}

function showRequest(terminal: Terminal, action: ActionJson, root: string): void {
  const { command, file_path: path, content, ...rest } = inputOf(action);
  terminal.line(`Claude Code asks for permission: ${action.toolName}`, 'yellow');
  if (command !== undefined) terminal.field('command', textOf(command));
  if (path !== undefined) terminal.field('file', relative(root, textOf(path)));
  if (content !== undefined) {
    terminal.field('content', '');
    terminal.quote(textOf(content));
  }
  for (const [name, value] of Object.entries(rest)) terminal.field(name, textOf(value));
}

/** Allows only the expected write, because the real model may try anything. */
async function answer(caller: Caller, { requestId }: ActionJson, isExpected: boolean): Promise<void> {
  const decision = isExpected
    ? { decision: 'allow' }
    : { decision: 'deny', message: `Only use the Write tool, for ${FILE_NAME}, in the working folder.` };
  // The next check reports any error.
  await caller.call('claude_code_respond', { requestId, ...decision, waitMs: 0 });
}

function showResult({ sandbox, model }: Stage, terminal: Terminal, snapshot: AnswerJson): void {
  terminal.step('Check the result on disk');
  const { result, sessionId } = snapshot;
  verify(result !== undefined && !result.isError, `the turn failed: ${result?.result}`);
  terminal.received(`result: ${result.result}`);

  const file = join(sandbox.project, FILE_NAME);
  verify(existsSync(file), `${file} was not written`);
  const content = readFileSync(file, 'utf8');
  verify(content.trim() !== '', `${file} is empty`);
  verify(model === undefined || content === HAIKU, `${file} has unexpected content: ${content}`);
  terminal.passed(`${file} was written:`);
  terminal.quote(content);

  verify(result.turn === 1, `the result belongs to turn ${result.turn}, not 1`);
  verify(result.totalCostUsd > 0, 'the turn reported no cost');
  terminal.passed(`turn ${result.turn} cost $${result.totalCostUsd} in ${result.numTurns} model calls`);

  const transcript = findTranscript(sandbox.configDir, sessionId);
  verify(transcript !== undefined, `there is no transcript of session ${sessionId}`);
  const lines = readFileSync(transcript, 'utf8').trimEnd().split('\n').length;
  terminal.passed(`the transcript has ${lines} lines: ${transcript}`);
}

interface FirstTurn {
  readonly sessionId: string;
  readonly firstTurnMs: number;
  readonly startMs: number;
  readonly serverPid: number;
}

async function showFollowUp(
  stage: Stage,
  terminal: Terminal,
  caller: Caller,
  first: FirstTurn,
): Promise<void> {
  terminal.step('Send a follow-up to the same process');
  const { sessionId, firstTurnMs, startMs } = first;
  const before = claudePids(stage, first.serverPid);
  const startedAt = performance.now();
  let snapshot = await caller.call('claude_code_reply', { sessionId, prompt: FOLLOW_UP, waitMs: WAIT_MS });
  const deadline = Date.now() + TURN_LIMIT_MS;
  while (snapshot.result === undefined) {
    verify(Date.now() < deadline, 'the follow-up did not end in time');
    const [action] = snapshot.actions ?? [];
    if (action !== undefined) await answer(caller, action, false);
    snapshot = await caller.quietly('claude_code_check', { sessionId, waitMs: WAIT_MS });
  }
  const tookMs = performance.now() - startedAt;
  const { result } = snapshot;
  verify(!result.isError, `the follow-up failed: ${result.result}`);
  verify(result.turn === 2, `the result belongs to turn ${result.turn}, not 2`);
  verify(result.sessionTotalCostUsd > result.totalCostUsd, 'the cost of the session did not grow');
  const after = claudePids(stage, first.serverPid);
  verify(!SEES_PROCESSES || before.length > 0, 'Claude Code exited after its turn');
  verify(before.join() === after.join(), 'Claude Code was started again');
  terminal.received(`result: ${result.result}`);
  const reused = after.length === 0 ? '' : `, same process (pid ${after.join(', ')})`;
  const pauses = stage.model === undefined ? '' : ', the rest mostly scripted pauses';
  terminal.passed(
    `turn 2 took ${seconds(tookMs)}${reused}; turn 1 took ${seconds(firstTurnMs)}: ` +
      `${seconds(startMs)} to start Claude Code${pauses}`,
  );
}

async function showList(terminal: Terminal, caller: Caller, sessionId: string): Promise<void> {
  terminal.step('List the sessions of this server');
  const { sessions = [] } = await caller.call('claude_code_session', { action: 'list' });
  for (const one of sessions) {
    terminal.received(
      `${one.sessionId}  "${one.title}"  ${one.status}, ${one.outcome}, ${one.turn} turns, $${one.totalCostUsd}`,
    );
  }
  const own = sessions.find((one) => one.sessionId === sessionId);
  verify(own !== undefined, 'the session is not in the list');
  verify(
    own.status === 'idle' && own.turn === 2,
    `the session is listed as ${own.status} with ${own.turn} turns`,
  );
  terminal.passed('the session is in the list');
}

async function showEnd({ sandbox }: Stage, terminal: Terminal, server: ServerClient): Promise<void> {
  terminal.step('Disconnect the client');
  const startedAt = performance.now();
  server.endInput();
  const { code } = await server.exited;
  const tookMs = performance.now() - startedAt;
  verify(code === 0, `the server exited with code ${code}`);
  verify(server.strayLines().length === 0, `stdout contained ${JSON.stringify(server.strayLines())}`);
  while (sandbox.processes().length > 0 && performance.now() - startedAt < LEAVE_LIMIT_MS) await pause(20);
  const left = sandbox.processes();
  verify(left.length === 0, `processes were left: ${left.map(({ command }) => command).join('; ')}`);
  const count = SEES_PROCESSES ? ', 0 processes left' : '';
  terminal.passed(`the server exited with code 0 after ${seconds(tookMs)}${count}`);
}

interface Caller {
  /** Prints the call, then makes it. */
  call(tool: string, args: Record<string, unknown>): Promise<AnswerJson>;
  quietly(tool: string, args: Record<string, unknown>): Promise<AnswerJson>;
  show(tool: string, args: Record<string, unknown>): void;
}

function createCaller(server: ServerClient, terminal: Terminal): Caller {
  const quietly: Caller['quietly'] = async (tool, args) => {
    const reply = await server.call(tool, args);
    verify(!reply.isError, `${tool} answered: ${reply.text}`);
    return reply.json;
  };
  const show: Caller['show'] = (tool, args) => terminal.sent(tool, args);
  return {
    quietly,
    show,
    call(tool, args) {
      show(tool, args);
      return quietly(tool, args);
    },
  };
}

function claudePids({ sandbox }: Stage, serverPid: number): readonly number[] {
  const isClaude = ({ pid, command }: LiveProcess): boolean =>
    pid !== serverPid && command.includes('claude');
  return sandbox
    .processes()
    .filter(isClaude)
    .map(({ pid }) => pid);
}

function findTranscript(configDir: string, sessionId: string): string | undefined {
  const projects = join(configDir, 'projects');
  if (!existsSync(projects)) return undefined;
  return readdirSync(projects)
    .map((folder) => join(projects, folder, `${sessionId}.jsonl`))
    .find((path) => existsSync(path));
}

function inputOf({ input }: ActionJson): Record<string, unknown> {
  return typeof input === 'object' && input !== null ? { ...input } : { input };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function verify(condition: boolean, failure: string): asserts condition {
  if (!condition) throw new DemoFailure(failure);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
