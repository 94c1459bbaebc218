import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareSession, type BareSession } from '../kit/bare-session.js';
import { claudePids } from '../kit/claude-pids.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { apiError, gate, text } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';
import { until } from '../kit/until.js';

async function startIdle(scene: Scene, args: Record<string, unknown> = {}): Promise<string> {
  const { json } = await scene.server.call('claude_code', {
    prompt: 'remember the word heron',
    cwd: scene.sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  expect(json).toMatchObject({ status: 'idle', result: { result: 'ok', turn: 1 } });
  return json.sessionId;
}

/** Claude Code started by somebody else on the same conversation. */
function startOther({ sandbox, model }: Scene, sessionId: string): BareSession {
  return startBareSession({ resume: sessionId, cwd: sandbox.project, env: sandbox.env(model) });
}

function lastRequestText({ model }: Scene, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body);
}

describe('a reply', () => {
  it('reuses the process', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene);
    const before = claudePids(scene.sandbox);

    const reply = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'which word?',
      waitMs: 20_000,
    });

    expect(reply.json).toMatchObject({
      status: 'idle',
      result: { turn: 2, totalCostUsd: 0.0044, sessionTotalCostUsd: 0.0088 },
    });
    expect(claudePids(scene.sandbox)).toEqual(before);
    expect(lastRequestText(scene, sessionId)).toContain('heron');
  });

  it('resumes the conversation after the idle process was closed', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' } });
    const sessionId = await startIdle(scene);
    await until('the process is closed', () => claudePids(scene.sandbox).length === 0);

    const reply = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'which word?',
      waitMs: 20_000,
    });

    expect(reply.json).toMatchObject({
      sessionId,
      status: 'idle',
      result: { turn: 2, sessionTotalCostUsd: 0.0088 },
    });
    expect(lastRequestText(scene, sessionId)).toContain('heron');
  });

  it('resumes the conversation after the process was killed', async () => {
    const scene = await startScene({ era: 'legacy' });
    const sessionId = await startIdle(scene);
    for (const pid of claudePids(scene.sandbox)) process.kill(pid, 'SIGKILL');
    await until('the process is gone', () => claudePids(scene.sandbox).length === 0);

    const reply = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'which word?',
      waitMs: 20_000,
    });

    expect(reply.json).toMatchObject({
      sessionId,
      status: 'idle',
      result: { turn: 2, sessionTotalCostUsd: 0.0088 },
    });
    expect(lastRequestText(scene, sessionId)).toContain('heron');
  });

  it('works after a turn that failed', async () => {
    const scene = await startScene({ era: 'modern' });
    scene.model.when('fail first', [apiError(529, 'overloaded_error', 'Overloaded')]);
    const failed = await scene.server.call('claude_code', {
      prompt: 'fail first',
      cwd: scene.sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId } = failed.json;

    const reply = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'try again',
      waitMs: 20_000,
    });

    expect(failed.json).toMatchObject({
      status: 'error',
      result: { isError: true, errorSubtype: 'overloaded' },
    });
    expect(reply.json).toMatchObject({
      sessionId,
      status: 'idle',
      result: { result: 'ok', outcome: 'completed' },
    });
  });

  it('starts again under its id when Claude Code died before it wrote anything', async () => {
    const scene = await startScene({ era: 'modern' });
    const held = createGate();
    scene.model.when('hold', [gate(held, text('never'))]);
    const { json } = await scene.server.call('claude_code', {
      prompt: 'hold heron',
      cwd: scene.sandbox.project,
    });
    await held.reached;
    for (const pid of claudePids(scene.sandbox)) process.kill(pid, 'SIGKILL');
    const { sessionId } = json;
    await scene.server.call('claude_code_check', { sessionId });
    rmSync(join(scene.sandbox.configDir, 'projects'), { recursive: true });

    const reply = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'from new',
      waitMs: 20_000,
    });

    expect(reply.json).toMatchObject({ sessionId, status: 'idle', result: { result: 'ok' } });
    expect(lastRequestText(scene, sessionId)).not.toContain('heron');
  });

  it('is refused when the conversation is no longer on disk', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' } });
    const sessionId = await startIdle(scene);
    await until('the process is closed', () => claudePids(scene.sandbox).length === 0);
    rmSync(join(scene.sandbox.configDir, 'projects'), { recursive: true });

    const reply = await scene.server.call('claude_code_reply', { sessionId, prompt: 'which word?' });

    expect(reply.text).toMatch(/^Error \[SESSION_NOT_FOUND\]: .*no longer on disk.*Start a new session/);
  });

  it('resumes when another process has written to the conversation in between', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene);
    const [before] = claudePids(scene.sandbox);
    const other = startOther(scene, sessionId);
    await other.turn('somebody else says kingfisher');
    other.end();
    await other.ended;

    const reply = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'which words?',
      waitMs: 20_000,
    });

    expect(reply.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(claudePids(scene.sandbox)).not.toContain(before);
    expect(lastRequestText(scene, sessionId)).toContain('kingfisher');
  });

  it('is refused while another process has the conversation open, and a fork is offered', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene);
    const other = startOther(scene, sessionId);
    await other.turn('I am here too');

    const refused = await scene.server.call('claude_code_reply', { sessionId, prompt: 'and I' });
    const fork = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'then in a copy',
      forkSession: true,
      waitMs: 20_000,
    });
    other.end();
    await other.ended;

    expect(refused.text).toMatch(
      /^Error \[SESSION_BUSY\]: another Claude Code process \(pid \d+\) .*forkSession/,
    );
    expect(fork.json).toMatchObject({ status: 'idle', result: { turn: 1, sessionTotalCostUsd: 0.0044 } });
    expect(fork.json.sessionId).not.toBe(sessionId);
    expect(lastRequestText(scene, fork.json.sessionId)).toContain('heron');
  });

  it('finds the session again in a new server, by its record', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene, { title: 'birds' });
    await scene.server.close();
    const second = await connectServer({ era: 'legacy', model: scene.model, sandbox: scene.sandbox });

    const reply = await second.call('claude_code_reply', {
      sessionId,
      prompt: 'which word?',
      waitMs: 20_000,
    });
    await second.close();

    expect(reply.json).toMatchObject({
      sessionId,
      title: 'birds',
      result: { turn: 2, sessionTotalCostUsd: 0.0088 },
    });
    expect(lastRequestText(scene, sessionId)).toContain('heron');
  });
});

describe('a session of an earlier server', () => {
  it('is not called cancelled while its process runs on, and stays cancelled once it is', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene);
    const second = await connectServer({ era: 'modern', model: scene.model, sandbox: scene.sandbox });

    const whileOwned = await second.call('claude_code_session', { action: 'cancel', sessionId });
    await scene.server.close();
    const afterwards = await second.call('claude_code_session', { action: 'cancel', sessionId });
    await second.close();
    const third = await connectServer({ era: 'modern', model: scene.model, sandbox: scene.sandbox });
    const reply = await third.call('claude_code_reply', { sessionId, prompt: 'still there?' });
    await third.close();

    expect(whileOwned.text).toMatch(/^Error \[SESSION_BUSY\]: another server process \(pid \d+\)/);
    expect(afterwards.json.status).toBe('cancelled');
    expect(reply.text).toMatch(/^Error \[CANCELLED\]/);
  });
});

describe('what stays on disk', () => {
  it("is Claude's transcript and a record that only the user can read", async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene);
    const file = join(scene.sandbox.stateDir, 'sessions', `${sessionId}.json`);
    await until(
      'the record says idle',
      () => existsSync(file) && readFileSync(file, 'utf8').includes('"status":"idle"'),
    );

    const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const projects = join(scene.sandbox.configDir, 'projects');
    const transcripts = readdirSync(projects, { recursive: true }).map(String);

    expect(record).toMatchObject({
      sessionId,
      claudeSessionId: sessionId,
      turn: 1,
      totals: { turns: 1, costUsd: 0.0044 },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(transcripts.some((name) => name.endsWith(`${sessionId}.jsonl`))).toBe(true);
  });

  it('is nothing with persistSession false, and the session ends with its process', async () => {
    const scene = await startScene({ era: 'modern' });
    const sessionId = await startIdle(scene, { advanced: { persistSession: false } });
    const second = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'more',
      waitMs: 20_000,
    });
    const held = createGate();
    scene.model.when('hold', [gate(held, text('never'))]);
    await scene.server.call('claude_code_reply', { sessionId, prompt: 'hold' });
    await held.reached;
    for (const pid of claudePids(scene.sandbox)) process.kill(pid, 'SIGKILL');
    const crashed = await scene.server.call('claude_code_check', { sessionId });

    const third = await scene.server.call('claude_code_reply', { sessionId, prompt: 'even more' });

    expect(second.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(crashed.json).toMatchObject({ status: 'error', result: { errorSubtype: 'crashed' } });
    expect(third.text).toMatch(/^Error \[CANCELLED\]: .*was not saved to disk/);
    expect(readdirSync(scene.sandbox.stateDir)).toEqual(['usage']);
  });
});
