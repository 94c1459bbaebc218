/** A disk that takes no more data: what must not be forgotten is refused, and the rest is reported as not saved. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage, type Scene, type SceneOptions } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { connectServer } from '../kit/server-client.js';
import { until } from '../kit/until.js';

/** The server may not write to any file. A process that it started before still may. */
const canLimit = spawnSync('prlimit', ['--version']).status === 0;

function limit({ server }: Scene, size: '0' | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${size}:unlimited`]);
}

/** A server with a session whose process is alive, on a disk that is full from now on. */
async function onFullDisk(options: Partial<SceneOptions> = {}): Promise<Scene & { sessionId: string }> {
  const { model, sandbox } = await startBackstage();
  const server = await connectServer({ era: 'modern', ...options, model, sandbox });
  onTestFinished(() => server.close());
  const scene = { server, model, sandbox };
  model.when('hello', [text('Hello.')]);
  model.when('again', [text('Again.')]);
  model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Over.')]);
  const { json } = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  limit(scene, '0');
  return { ...scene, sessionId: json.sessionId };
}

describe.skipIf(!canLimit)('a full disk', () => {
  it('lets a session work, and says that its turn is not saved', async () => {
    const scene = await onFullDisk();
    const { server, sessionId } = scene;

    const replied = await server.call('claude_code_reply', { sessionId, prompt: 'again', waitMs: 20_000 });
    limit(scene, 'unlimited');

    expect(replied.json).toMatchObject({
      status: 'idle',
      result: { result: 'Again.' },
      notSaved: expect.anything(),
    });
  });

  it('refuses a cancel that the next server would not know', async () => {
    const scene = await onFullDisk();
    const { server, model, sandbox, sessionId } = scene;

    const refused = await server.call('claude_code_session', { action: 'cancel', sessionId });
    limit(scene, 'unlimited');
    const cancelled = await server.call('claude_code_session', { action: 'cancel', sessionId });
    server.kill('SIGKILL');
    await server.exited;
    const next = await connectServer({ era: 'modern', sandbox, model });
    onTestFinished(() => next.close());
    const found = await next.call('claude_code_session', { action: 'get', sessionId });

    expect(refused.isError).toBe(true);
    expect(cancelled.json.status).toBe('cancelled');
    expect(found.json.status).toBe('cancelled');
  });

  it('refuses the answer of a person that could not be shown later', async () => {
    const scene = await onFullDisk({
      env: { CLAUDE_CODE_MCP_APPROVALS: 'human' },
      capabilities: formCapability,
    });
    const { server, sandbox, sessionId } = scene;
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const reply = server.call('claude_code_reply', { sessionId, prompt: 'touch', waitMs: 3_000 });
    await person.form(0);
    await reply;

    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
    limit(scene, 'unlimited');
  });

  it('refuses work on a budget that could not be counted', async () => {
    const scene = await onFullDisk();
    const { server, model, sandbox, sessionId } = scene;
    const before = model.requests().length;

    const started = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      maxBudgetUsd: 1,
      waitMs: 20_000,
    });
    const replied = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'again',
      maxBudgetUsd: 1,
      waitMs: 20_000,
    });
    limit(scene, 'unlimited');

    expect([started.isError, replied.isError]).toEqual([true, true]);
    expect(model.requests()).toHaveLength(before);
  });
});

it('an answer that Claude Code could not write is reported when its process has exited', async () => {
  const { model, sandbox } = await startBackstage();
  const server = await connectServer({ era: 'modern', model, sandbox });
  onTestFinished(() => server.close());
  model.when('two', [text('The word is heron.')]);
  const { json } = await server.call('claude_code', { prompt: 'one', cwd: sandbox.project, waitMs: 20_000 });
  const { sessionId } = json;
  const reply = (prompt: string, more = {}) =>
    server.call('claude_code_reply', { sessionId, prompt, waitMs: 20_000, ...more });
  const projects = join(sandbox.configDir, 'projects');
  const transcript = join(projects, readdirSync(projects)[0] ?? '', `${sessionId}.jsonl`);
  await until('the first answer is written', () => readFileSync(transcript, 'utf8').includes('"assistant"'));
  const before = statSync(transcript).size;
  const second = await reply('two');
  await until('the answer is written', () => readFileSync(transcript, 'utf8').includes('heron'));
  // As if there had been no room for it.
  truncateSync(transcript, before);

  const third = await reply('three', { diskResumeConfig: { model: 'claude-haiku-4-5' } });
  const fourth = await reply('four');

  expect(second.json).not.toHaveProperty('notSaved');
  expect(third.json).toMatchObject({ status: 'idle', notSaved: expect.stringContaining('transcript') });
  expect(fourth.json).not.toHaveProperty('notSaved');
  expect(JSON.stringify(model.requests(sessionId).at(-1)?.body)).not.toContain('heron');
});
