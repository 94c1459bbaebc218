import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage, startScene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool, tools } from '../kit/model-steps.js';
import { plantScheduledTask } from '../kit/scheduled-task.js';
import type { ScriptedModel } from '../kit/scripted-model.js';
import { connectServer } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { backends } from './faults/fault-scene.js';

const task = 'the scheduled task';

function promptsOf(model: ScriptedModel, sessionId: string): readonly string[] {
  return model.requests(sessionId).map(({ promptText }) => promptText);
}

describe('a scheduled task that a repository brings along', () => {
  it('never runs in a folder that nobody has trusted, and the caller gets its own answer', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    plantScheduledTask(sandbox.project, task);
    model.when(task, [tool('Bash', { command: 'touch planted.txt' }), text('The repository says hello.')]);
    model.when('greet', [text('Hello.')]);

    const first = await server.call('claude_code', {
      prompt: 'greet',
      cwd: sandbox.project,
      allowedTools: ['Bash'],
      waitMs: 20_000,
    });
    const { sessionId } = first.json;
    const second = await server.call('claude_code_reply', { sessionId, prompt: 'again', waitMs: 20_000 });

    expect([first.json, second.json]).toMatchObject([
      { status: 'idle', result: { result: 'Hello.', turn: 1 } },
      { status: 'idle', result: { result: 'ok', turn: 2 } },
    ]);
    expect(promptsOf(model, sessionId)).toEqual(['greet', 'again']);
  });

  it('runs in a trusted folder as a turn of its own, which the audit log shows, and answers no prompt', async () => {
    const { model, sandbox } = await startBackstage();
    const auditLog = join(sandbox.root, 'audit.jsonl');
    const env = { CLAUDE_CODE_MCP_AUDIT_LOG: auditLog };
    const server = await connectServer({ sandbox, model, era: 'modern', env });
    onTestFinished(() => server.close());
    sandbox.trustFolder(sandbox.project);
    plantScheduledTask(sandbox.project, task);
    const held = createGate();
    model.when(task, [gate(held, text('The repository says hello.'))]);
    model.when('greet', [text('Hello.')]);

    const started = await server.call('claude_code', { prompt: 'greet', cwd: sandbox.project });
    const { sessionId } = started.json;
    await held.reached;
    held.open();
    await until('both turns', () => promptsOf(model, sessionId).length > 1);
    const rest = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(rest.json).toMatchObject({ status: 'idle' });
    expect([...promptsOf(model, sessionId)].toSorted()).toEqual(['greet', task]);
    const turns = readFileSync(auditLog, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter(({ what }) => what === 'turn_ended');
    expect(turns.map(({ startedBy, outcome }) => ({ startedBy, outcome }))).toEqual(
      expect.arrayContaining([
        { startedBy: 'claude_code', outcome: 'completed' },
        { startedBy: undefined, outcome: 'completed' },
      ]),
    );
  });
});

describe('a conversation that Claude Code compacts during a turn', () => {
  it('answers the prompt with what the model says afterwards, not with the summary', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern' });
    const fillsContext = { usage: { input: 990_000, output: 20 } };
    model.when('read much', [{ ...tool('Bash', { command: 'echo much' }), ...fillsContext }]);
    model.when('Respond with TEXT ONLY', [text('A summary.')]);
    model.when('continued from a previous conversation', [text('It was much.')]);

    const done = await server.call('claude_code', {
      prompt: 'read much',
      cwd: sandbox.project,
      waitMs: 20_000,
    });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'It was much.', turn: 1 } });
    const prompts = promptsOf(model, done.json.sessionId);
    expect(prompts.some((prompt) => prompt.includes('Respond with TEXT ONLY'))).toBe(true);
  });
});

it('two background agents that end together bring one answer, after that of the prompt, and no empty one', async () => {
  const { server, model, sandbox } = await startScene({ era: 'modern' });
  const agent = (name: string) => tool('Agent', { description: name, prompt: `write ${name}` });
  model.when('delegate', [tools([agent('one'), agent('two')]), text('Two agents are at work.')]);
  for (const name of ['one', 'two'])
    model.when(`write ${name}`, [tool('Write', { file_path: join(sandbox.project, name), content: name })]);

  const started = await server.call('claude_code', { prompt: 'delegate', cwd: sandbox.project });
  const { sessionId } = started.json;
  const asked = await until('both ask, and the prompt is answered', async () => {
    const { json } = await server.call('claude_code_check', { sessionId, cursor: 0, waitMs: 0 });
    return json.result !== undefined && json.actions?.length === 2 && json;
  });
  const answer = (index: number) =>
    server.call('claude_code_respond', {
      requestId: asked.actions?.[index]?.requestId,
      decision: 'allow',
    });
  await answer(0);
  const done = await answer(1);

  expect([asked, done.json]).toMatchObject([
    { status: 'waiting', result: { result: 'Two agents are at work.', turn: 1 } },
    { status: 'idle', result: { result: 'ok', turn: 2, startedBy: 'claude_code' } },
  ]);
});

/** Claude Code announces it in a turn of its own, before the first prompt of the process that resumes the session. */
describe.each(backends)('a background task that ended with its server, on the %s backend', (backend) => {
  it.each([
    ['the next reply', false],
    ['a fork', true],
  ])('does not keep %s from running', async (_what, forkSession) => {
    const { model, sandbox } = await startBackstage();
    const env = { CLAUDE_CODE_MCP_BACKEND: backend };
    const first = await connectServer({ sandbox, model, era: 'modern', env });
    model.when('watch', [
      tool('Bash', { command: 'tail -f /dev/null', run_in_background: true }),
      text('Watching.'),
    ]);
    const started = await first.call('claude_code', {
      prompt: 'watch',
      cwd: sandbox.project,
      allowedTools: ['Bash'],
      waitMs: 20_000,
    });
    await first.close();
    const next = await connectServer({ sandbox, model, era: 'modern', env });
    onTestFinished(() => next.close());

    const { sessionId } = started.json;
    const replied = await next.call('claude_code_reply', {
      sessionId,
      prompt: 'again',
      forkSession,
      waitMs: 20_000,
    });

    expect(replied.json).toMatchObject({ status: 'idle', result: { outcome: 'completed', result: 'ok' } });
    const [request] = model.requests(replied.json.sessionId).slice(-1);
    expect(JSON.stringify(request?.body.messages)).toMatch(/<task-notification.*"again"/);
  });
});
