/** What a caller learns about a session whose server has stopped, without spending a turn on it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGate } from '../kit/gate.js';
import {
  joinInProcess,
  restartInProcess,
  startInProcess,
  type InProcessScene,
  vanish,
} from '../kit/in-process.js';
import { gate, text, tool } from '../kit/model-steps.js';

const modern = { era: 'modern' } as const;
const sixTools = { ...modern, env: { CLAUDE_CODE_MCP_TOOLSETS: 'sessions' } };
const allTools = { CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions' };

async function finished(
  scene: InProcessScene,
  words: string,
): Promise<{ sessionId: string; cursor: number }> {
  scene.model.when('talk', [text(words)]);
  const { json } = await scene.server.call('claude_code', {
    prompt: 'talk',
    cwd: scene.sandbox.project,
    waitMs: 20_000,
  });
  return { sessionId: json.sessionId, cursor: Number(json.cursor) };
}

describe('after a restart', () => {
  it('a finished session shows its result, as if the server had kept running', async () => {
    const before = await startInProcess(modern);
    const { sessionId, cursor } = await finished(before, 'The bird is a heron.');
    const { server } = await restartInProcess(before, modern);

    const plain = await server.call('claude_code_check', { sessionId });
    const old = await server.call('claude_code_check', { sessionId, cursor: 1, include: ['events'] });
    const seen = await server.call('claude_code_check', { sessionId, cursor });
    const beyond = await server.call('claude_code_check', { sessionId, cursor: cursor + 50 });
    const got = await server.call('claude_code_session', { action: 'get', sessionId });
    const page = await server.call('claude_code_check', { sessionId, resultOffset: 0 });

    const result = { result: 'The bird is a heron.', outcome: 'completed', turn: 1 };
    for (const { json } of [plain, old, beyond, got]) expect(json).toMatchObject({ status: 'idle', result });
    expect(old.json.events).toEqual([
      { type: 'result', seq: cursor, outcome: 'completed', text: 'The bird is a heron.' },
    ]);
    expect(seen.json).toMatchObject({ status: 'idle', cursor });
    expect(seen.json.result).toBeUndefined();
    expect(page.json).toMatchObject({ text: 'The bird is a heron.' });
  });

  it('a finished session names the tools that were denied', async () => {
    const before = await startInProcess(modern);
    before.model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Not touched.')]);
    const { json } = await before.server.call('claude_code', { prompt: 'touch', waitMs: 20_000 });
    const denied = await before.server.call('claude_code_respond', {
      requestId: json.actions?.[0]?.requestId,
      decision: 'deny',
      waitMs: 20_000,
    });
    const { server } = await restartInProcess(before, modern);

    const { json: after } = await server.call('claude_code_check', { sessionId: json.sessionId });

    expect(denied.json.result).toMatchObject({ permissionDenials: ['Bash'] });
    expect(after.result).toEqual(denied.json.result);
  });

  it('a reply continues the count of events and turns', async () => {
    const before = await startInProcess(modern);
    const { sessionId, cursor } = await finished(before, 'One.');
    const { server, model } = await restartInProcess(before, modern);
    model.when('more', [text('Two.')]);

    const { json } = await server.call('claude_code_reply', { sessionId, prompt: 'more', waitMs: 20_000 });

    expect(json).toMatchObject({ status: 'idle', result: { result: 'Two.', turn: 2 } });
    expect(json.cursor).toBeGreaterThan(cursor);
  });

  it('a list names a session by its first prompt', async () => {
    const before = await startInProcess(modern);
    const { sessionId } = await finished(before, 'One.');
    const { server } = await restartInProcess(before, modern);
    await server.call('claude_code_reply', { sessionId, prompt: 'more', waitMs: 20_000 });

    const { json } = await server.call('claude_code_session', { action: 'list' });

    expect(json.sessions).toMatchObject([{ sessionId, firstPrompt: 'talk', turn: 2 }]);
  });

  it('a long result is read to its end', async () => {
    const long = 'line "quoted"\n'.repeat(8_000).trim();
    const before = await startInProcess(modern);
    const { sessionId } = await finished(before, long);
    const { server } = await restartInProcess(before, modern);

    let whole = '';
    let resultOffset: number | undefined = 0;
    while (resultOffset !== undefined) {
      const reply = await server.call('claude_code_check', { sessionId, resultOffset });
      const page = reply.json as unknown as { text: string; nextOffset?: number };
      whole += page.text;
      resultOffset = page.nextOffset;
    }

    expect(whole).toBe(long);
  });

  it('a request of the earlier server has ended, and every answer says how to continue', async () => {
    const before = await startInProcess(modern);
    before.model.when('work', [tool('Bash', { command: 'touch a.txt' })]);
    before.model.when('go on', [text('Done.')]);
    const { json } = await before.server.call('claude_code', {
      prompt: 'work',
      cwd: before.sandbox.project,
      waitMs: 20_000,
    });
    const requestId = json.actions?.[0]?.requestId ?? '';
    const { sessionId } = json;
    const { server } = await restartInProcess(before, modern);

    const answer = { requestId, decision: 'allow' };
    const named = await server.call('claude_code_respond', { ...answer, sessionId });
    const unnamed = await server.call('claude_code_respond', answer);
    const checked = await server.call('claude_code_check', { sessionId, cursor: json.cursor });
    const went = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });

    expect(json.status).toBe('waiting');
    expect(named.text).toMatch(
      /^Error \[INVALID_ARGUMENT\]: request [\w-]+ ended when the server .* stopped.* Reply to/,
    );
    expect(unnamed.text).toBe(named.text);
    expect(checked.json).toMatchObject({
      status: 'error',
      result: {
        outcome: 'failed',
        errorSubtype: 'server_restarted',
        nextStep: expect.stringContaining(
          'Reply with resumeInterrupted: true to run it again, or reply with another prompt.',
        ),
      },
      voidRequests: [requestId],
    });
    expect(went.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });

  it('a request that was answered stays answered', async () => {
    const before = await startInProcess(modern);
    before.model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Touched.')]);
    const asked = await before.server.call('claude_code', {
      prompt: 'touch',
      cwd: before.sandbox.project,
      waitMs: 20_000,
    });
    const { sessionId, actions = [] } = asked.json;
    const answer = { sessionId, requestId: actions[0]?.requestId, decision: 'allow', waitMs: 20_000 };
    await before.server.call('claude_code_respond', answer);
    const { server } = await restartInProcess(before, modern);

    const again = await server.call('claude_code_respond', answer);

    expect(again.text).toContain('is already settled (decision: allow, answered by: caller)');
  });

  it('the six tools show the result and the output', async () => {
    const before = await startInProcess({ ...modern, env: allTools });
    const { sessionId } = await finished(before, 'One.\nTwo.');
    const { server } = await restartInProcess(before, sixTools);

    const { json } = await server.call('claude_get_status', { sessionId });

    expect(json).toMatchObject({ status: 'completed', result: 'One.\nTwo.', recentOutput: ['One.', 'Two.'] });
  });

  it('every list shows it as before, even where callers may not list what others started', async () => {
    const before = await startInProcess({ ...modern, env: allTools });
    const { sessionId } = await finished(before, 'One.');
    const listed = await before.server.call('claude_code_session', { action: 'list' });
    const { server } = await restartInProcess(before, { ...modern, env: allTools });

    const again = await server.call('claude_code_session', { action: 'list' });
    const all = await server.call('claude_code_session', { action: 'list', scope: 'all' });
    const six = await server.call('claude_list_sessions', {});
    const off = await restartInProcess(before, { ...modern, env: { CLAUDE_CODE_MCP_HISTORY: 'off' } });
    const own = await off.server.call('claude_code_session', { action: 'list' });

    const line = { ...listed.json.sessions?.[0], lastUsedAt: expect.any(String) };
    expect(line).toMatchObject({ sessionId, status: 'idle', outcome: 'completed', turn: 1 });
    for (const { json } of [again, own]) expect(json).toEqual({ sessions: [line] });
    expect(all.json.sessions).toMatchObject([line]);
    expect(six.json.sessions).toMatchObject([{ sessionId, displayText: 'talk', isActive: false }]);
  });

  it('an empty list says how to find sessions of others', async () => {
    const { server } = await startInProcess(modern);

    const { json } = await server.call('claude_code_session', { action: 'list' });

    expect(json).toEqual({ sessions: [], message: expect.stringContaining('scope "all"') });
  });
});

describe('a turn whose server was killed', () => {
  /** A server that vanishes while it works on "more", with another prompt in the queue, and the one after it. */
  async function cutOff() {
    const held = createGate();
    const first = await startInProcess(modern);
    const { sessionId, cursor } = await finished(first, 'One.');
    first.model.when('more', [gate(held, text('Two.'))]);
    // Records are compared by the time at which they were written.
    first.clock.advance(1);
    await first.server.call('claude_code_reply', { sessionId, prompt: 'more' });
    await held.reached;
    await first.server.call('claude_code_reply', { sessionId, prompt: 'and then', whenBusy: 'queue' });
    first.clock.advance(1);
    const second = await joinInProcess(first, modern);
    return { first, second, sessionId, cursor, held };
  }

  it('runs elsewhere until that server is gone, and every tool says so', async () => {
    const { second, sessionId, cursor, held } = await cutOff();
    const { server } = second;

    const checked = await server.call('claude_code_check', { sessionId, cursor, waitMs: 0 });
    const got = await server.call('claude_code_session', { action: 'get', sessionId });
    const interrupted = await server.call('claude_code_session', { action: 'interrupt', sessionId });
    const replied = await server.call('claude_code_reply', { sessionId, prompt: 'mine' });
    held.open();

    const runsIn = expect.stringMatching(/^another server, process \d+$/);
    expect(checked.json).toMatchObject({ status: 'running', runsIn });
    expect(got.json).toMatchObject({ status: 'running', runsIn });
    for (const { text: answer } of [interrupted, replied])
      expect(answer).toMatch(
        /^Error \[SESSION_BUSY\]: another server process \(pid \d+\) has this session open/,
      );
  });

  it('is failed, costs what it may have cost, and keeps what was asked', async () => {
    const { first, second, sessionId, cursor } = await cutOff();
    vanish(first.server);

    const { json } = await second.server.call('claude_code_check', {
      sessionId,
      cursor,
      include: ['events'],
    });
    const again = await second.server.call('claude_code_check', { sessionId });

    const result = {
      outcome: 'failed',
      errorSubtype: 'server_restarted',
      turn: 2,
      result: expect.stringContaining('It was asked: "more".'),
    };
    expect(json).toMatchObject({ status: 'error', result, keptPrompts: ['and then'] });
    expect(json.events?.at(-1)).toMatchObject({ type: 'error', errorSubtype: 'server_restarted' });
    expect(again.json).toMatchObject({ status: 'error', result, cursor: json.cursor });
  });

  it('is not offered to run again if its prompt contained a secret, which is not on record', async () => {
    const held = createGate();
    const first = await startInProcess(modern);
    first.model.when('use', [gate(held, text('Done.'))]);
    const prompt = 'use sk-ant-api03-PLANTED0123456789abcdef';
    const { json } = await first.server.call('claude_code', { prompt });
    await held.reached;
    vanish(first.server);
    const { server } = await joinInProcess(first, modern);

    const { json: cut } = await server.call('claude_code_check', { sessionId: json.sessionId });
    held.open();

    expect(cut.result?.nextStep).toMatch(/^Reply to continue the session\./);
  });

  it('leaves no tool call that seems to wait for an answer', async () => {
    const first = await startInProcess({ ...modern, env: allTools });
    first.model.when('work', [tool('Bash', { command: 'touch a.txt' })]);
    const { json } = await first.server.call('claude_code', { prompt: 'work', waitMs: 20_000 });
    vanish(first.server);
    const { server } = await joinInProcess(first, sixTools);

    const { json: status } = await server.call('claude_get_status', { sessionId: json.sessionId });

    expect(status).toMatchObject({
      status: 'error',
      pendingInputs: [],
      toolUseEvents: [{ toolName: 'Bash', status: 'denied' }],
      voidRequests: [json.actions?.[0]?.requestId],
    });
  });

  it('runs again if the caller asks for it, once', async () => {
    const { first, second, sessionId } = await cutOff();
    vanish(first.server);
    first.model.when('more', [text('Two again.')]);
    const resume = { sessionId, resumeInterrupted: true, waitMs: 20_000 };

    const both = await second.server.call('claude_code_reply', { ...resume, prompt: 'x' });
    const ran = await second.server.call('claude_code_reply', resume);
    const twice = await second.server.call('claude_code_reply', resume);
    const kept = await second.server.call('claude_code_reply', {
      sessionId,
      prompt: 'and then',
      waitMs: 20_000,
    });

    expect(both.text).toMatch(/^Error \[INVALID_ARGUMENT\].*takes no other prompt/);
    expect(ran.json).toMatchObject({ status: 'idle', result: { outcome: 'completed', turn: 3 } });
    expect(ran.json.keptPrompts).toEqual(['and then']);
    expect(twice.text).toMatch(/^Error \[INVALID_ARGUMENT\]: no turn of session/);
    expect(kept.json.keptPrompts).toBeUndefined();
  });
});

describe('a turn that was running when the client ended the server', () => {
  it('is failed, keeps what was asked and queued, and can run again', async () => {
    const held = createGate();
    const first = await startInProcess(modern);
    const { sessionId } = await finished(first, 'One.');
    first.model.when('more', [gate(held, text('Two.'))]);
    await first.server.call('claude_code_reply', { sessionId, prompt: 'more' });
    await held.reached;
    await first.server.call('claude_code_reply', { sessionId, prompt: 'and then', whenBusy: 'queue' });
    const { server, model } = await restartInProcess(first, modern);
    held.open();
    model.when('more', [text('Two again.')]);

    const checked = await server.call('claude_code_check', { sessionId });
    const ran = await server.call('claude_code_reply', {
      sessionId,
      resumeInterrupted: true,
      waitMs: 20_000,
    });

    expect(checked.json).toMatchObject({
      status: 'error',
      result: {
        outcome: 'failed',
        errorSubtype: 'server_restarted',
        result: 'The server shut down before this turn ended.',
      },
      keptPrompts: ['and then'],
    });
    expect(ran.json).toMatchObject({ status: 'idle', result: { outcome: 'completed' } });
  });
});

describe('a session that someone else started', () => {
  /** A session of another program is one without a record. */
  async function foreign(env: Record<string, string>) {
    const before = await startInProcess({ ...modern, env: allTools });
    const { sessionId } = await finished(before, 'Not yours.');
    await before.server.close();
    rmSync(join(before.sandbox.stateDir, 'sessions', `${sessionId}.jsonl`));
    const scene = await restartInProcess(before, { ...modern, env: { ...allTools, ...env } });
    return { ...scene, sessionId, requests: before.model.requests().length };
  }

  it('is shown where the operator lets callers read it, and costs nothing', async () => {
    const { server, model, sessionId, requests } = await foreign({ CLAUDE_CODE_MCP_HISTORY: 'read' });

    const status = await server.call('claude_get_status', { sessionId });
    const output = await server.call('claude_get_status', { sessionId, outputOffset: 0 });
    const checked = await server.call('claude_code_check', { sessionId, include: ['events'] });
    const got = await server.call('claude_code_session', { action: 'get', sessionId });

    expect(status.json).toEqual({
      sessionId,
      status: 'completed',
      result: 'Not yours.',
      recentOutput: ['Not yours.'],
      pendingInputs: [],
      toolUseEvents: [],
      cursor: 1,
    });
    expect(output.json).toMatchObject({ text: 'Not yours.' });
    for (const { json } of [checked, got])
      expect(json).toMatchObject({ status: 'idle', result: { result: 'Not yours.' } });
    expect(checked.json).not.toHaveProperty('droppedEvents');
    expect(model.requests()).toHaveLength(requests);
  });

  it('has a status without its content where callers may only list and resume it', async () => {
    const { server, sessionId } = await foreign({});

    const status = await server.call('claude_get_status', { sessionId });
    const checked = await server.call('claude_code_check', { sessionId });

    expect(status.json).toEqual({
      sessionId,
      status: 'completed',
      note: expect.stringContaining('CLAUDE_CODE_MCP_HISTORY=read'),
      recentOutput: [],
      pendingInputs: [],
      toolUseEvents: [],
      cursor: 1,
    });
    for (const { text: answer } of [status, checked]) {
      expect(answer).toContain('CLAUDE_CODE_MCP_HISTORY=read');
      expect(answer).not.toContain('Not yours.');
    }
  });

  it.each([
    ['claude_code_session', { action: 'cancel' }],
    ['claude_interrupt', {}],
    ['claude_respond', { inputId: 'abcdefgh', decision: 'deny' }],
  ])('is named as such to tools that would change it: %s', async (tool, args) => {
    const { server, sessionId } = await foreign({});

    const { text: refused } = await server.call(tool, { sessionId, ...args });

    expect(refused).toMatch(/this server neither started nor continued session .* to continue it here/);
  });

  it('is not offered to be continued where that would be refused', async () => {
    const { server, sessionId } = await foreign({ CLAUDE_CODE_MCP_ALLOW_DISK_RESUME: '0' });

    const { text: refused } = await server.call('claude_interrupt', { sessionId });

    expect(refused).toMatch(/Do this in the program that has it open\.$/);
  });

  it('is unknown where callers may not list it', async () => {
    const { server, sessionId } = await foreign({ CLAUDE_CODE_MCP_HISTORY: 'off' });

    const { text: status } = await server.call('claude_get_status', { sessionId });
    const { text: stopped } = await server.call('claude_interrupt', { sessionId });

    expect([status, stopped].join()).toMatch(/^Error \[SESSION_NOT_FOUND\].*not found.*not found/s);
  });

  it('is unknown if its folder lies outside the roots', async () => {
    const { server, sessionId } = await foreign({
      CLAUDE_CODE_MCP_HISTORY: 'read',
      CLAUDE_CODE_MCP_ROOTS: '/usr',
    });

    expect((await server.call('claude_get_status', { sessionId })).text).toMatch(
      /^Error \[SESSION_NOT_FOUND\]/,
    );
  });
});
