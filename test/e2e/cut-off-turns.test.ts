/** Turns without a prompt of a caller whose server ends: nothing can run them again as a prompt. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { connectServer, type ServerClient } from '../kit/server-client.js';
import { until } from '../kit/until.js';

const endings = ['is killed', 'ends with its client'] as const;
type Ending = (typeof endings)[number];

type Backstage = Awaited<ReturnType<typeof startBackstage>>;

const connect = ({ sandbox, model }: Backstage) => connectServer({ sandbox, model, era: 'modern' });

async function end(server: ServerClient, ending: Ending, { sandbox }: Backstage): Promise<void> {
  if (ending === 'ends with its client') return server.close();
  server.kill('SIGKILL');
  await server.exited;
  await until('every process is gone', () => sandbox.processes().length === 0);
}

describe('a rewind that waits for approval when its server', () => {
  it.each(endings)('%s costs nothing, and every answer advises to rewind again', async (ending) => {
    const stage = await startBackstage();
    const { sandbox, model } = stage;
    const file = join(sandbox.project, 'a.txt');
    writeFileSync(file, 'one');
    model.when('edit', [
      tool('Read', { file_path: file }),
      tool('Write', { file_path: file, content: 'two' }),
      text('edited'),
    ]);
    const first = await connect(stage);
    const edited = await first.call('claude_code', {
      prompt: 'edit',
      permissionMode: 'acceptEdits',
      maxBudgetUsd: 0.5,
      advanced: { enableFileCheckpointing: true },
      waitMs: 20_000,
    });
    const { sessionId, result: paid } = edited.json;
    const oldest = { action: 'transcript', sessionId, order: 'oldest' };
    const { json: page } = await first.call('claude_code_session', oldest);
    const messageId = (page as unknown as { messages: readonly { uuid: string }[] }).messages[0]?.uuid;
    const rewind = { action: 'rewind', sessionId, messageId };
    const asked = await first.call('claude_code_session', rewind);
    const requestId = asked.json.actions?.[0]?.requestId;
    const requests = model.requests(sessionId).length;
    await end(first, ending, stage);
    const server = await connect(stage);

    const { json } = await server.call('claude_code_check', { sessionId });
    const late = await server.call('claude_code_respond', { requestId, decision: 'allow' });
    const again = await server.call('claude_code_reply', { sessionId, resumeInterrupted: true });
    const requestsAfter = model.requests(sessionId).length;
    const second = await server.call('claude_code_session', rewind);
    const restored = await server.call('claude_code_respond', {
      requestId: second.json.actions?.[0]?.requestId,
      decision: 'allow',
      waitMs: 20_000,
    });
    await server.close();

    expect(json).toMatchObject({
      status: 'error',
      result: {
        errorSubtype: 'server_restarted',
        startedBy: 'rewind',
        totalCostUsd: 0,
        sessionTotalCostUsd: paid?.sessionTotalCostUsd,
        nextStep: expect.stringMatching(/^Rewind again, or reply to continue the session\./),
      },
      voidRequests: [requestId],
    });
    expect(json.result?.result).not.toContain('It was asked');
    expect(late.text).toMatch(/nothing was approved\. Rewind again\.$/);
    expect(again.text).toMatch(/^Error \[INVALID_ARGUMENT\]: no turn of session/);
    expect(requestsAfter).toBe(requests);
    expect(restored.json).toMatchObject({ status: 'idle', result: { outcome: 'completed' } });
    expect(readFileSync(file, 'utf8')).toBe('one');
  });
});

describe('a turn that Claude Code began itself, when its server', () => {
  async function begun(steps: Parameters<Backstage['model']['when']>[1]) {
    const stage = await startBackstage();
    const { model } = stage;
    model.when('bg please', [tool('Bash', { command: 'sleep 1', run_in_background: true }), text('started')]);
    model.when('<task-notification', steps);
    const server = await connect(stage);
    const started = await server.call('claude_code', {
      prompt: 'bg please',
      allowedTools: ['Bash'],
      waitMs: 20_000,
    });
    return { stage, server, model, sessionId: started.json.sessionId, cursor: started.json.cursor };
  }

  it.each(endings)('%s while it waits for approval, is failed, and its request is void', async (ending) => {
    const {
      stage,
      server: first,
      model,
      sessionId,
      cursor,
    } = await begun([tool('Write', { file_path: 'own.txt', content: 'x' }), text('noticed')]);
    const asked = await first.call('claude_code_check', { sessionId, cursor, waitMs: 20_000 });
    await end(first, ending, stage);
    const server = await connect(stage);

    const { json } = await server.call('claude_code_check', { sessionId });
    const requests = model.requests(sessionId).length;
    const again = await server.call('claude_code_reply', { sessionId, resumeInterrupted: true });
    await server.close();

    expect(json).toMatchObject({
      status: 'error',
      result: {
        errorSubtype: 'server_restarted',
        startedBy: 'claude_code',
        turn: 2,
        nextStep: expect.stringMatching(/^Reply to continue the session\./),
      },
      voidRequests: [asked.json.actions?.[0]?.requestId],
    });
    expect(again.text).toMatch(/^Error \[INVALID_ARGUMENT\]: no turn of session/);
    expect(model.requests(sessionId)).toHaveLength(requests);
  });

  it('is killed while the model works, is failed, and counts what it may have cost', async () => {
    const held = createGate();
    const { stage, server: first, sessionId } = await begun([gate(held, text('noticed'))]);
    await held.reached;
    const { json: seen } = await first.call('claude_code_check', { sessionId, waitMs: 0 });
    const beside = await connect(stage);
    const { json: elsewhere } = await beside.call('claude_code_check', { sessionId, waitMs: 0 });
    await beside.close();
    await end(first, 'is killed', stage);
    const server = await connect(stage);

    const { json } = await server.call('claude_code_check', { sessionId });
    await server.close();
    held.open();

    expect(seen).toMatchObject({ status: 'running' });
    expect(elsewhere).toMatchObject({ status: 'running', runsIn: expect.any(String) });
    expect(json).toMatchObject({
      status: 'error',
      result: { errorSubtype: 'server_restarted', startedBy: 'claude_code', turn: 2 },
    });
    expect(json.result?.totalCostUsd).toBeGreaterThan(0);
  });
});
