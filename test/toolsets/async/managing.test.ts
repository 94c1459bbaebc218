import { describe, expect, it } from 'vitest';
import { writeTranscript } from '../../sessions/manager-scene.js';
import { createToolScene, openRequest, parse, startVia, type Json } from './tool-scene.js';

describe('claude_code_session', () => {
  it('lists the sessions, the last used first', async () => {
    const scene = await createToolScene();
    const first = await startVia(scene, { title: 'one' });
    scene.clock.advance(1_000);
    const second = await startVia(scene);
    first.process.result();

    const { sessions } = await scene.callJson('claude_code_session', { action: 'list' });

    expect(sessions).toMatchObject([
      { sessionId: first.sessionId, title: 'one', status: 'idle', outcome: 'completed', turn: 1 },
      {
        sessionId: second.sessionId,
        status: 'running',
        activity: 'waiting for the model',
        firstPrompt: 'do it',
        cwd: scene.project,
      },
    ]);
  });

  it('lists no outcome of an earlier turn for a session that is busy', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    process.result();
    await scene.call('claude_code_reply', { sessionId, prompt: 'more' });

    const { sessions } = await scene.callJson('claude_code_session', { action: 'list' });

    expect(sessions).toEqual([expect.objectContaining({ sessionId, status: 'running', turn: 2 })]);
    expect(sessions).toEqual([expect.not.objectContaining({ outcome: 'completed' })]);
  });

  it('describes one without its system prompt', async () => {
    const scene = await createToolScene();
    const { sessionId } = await startVia(scene, { model: 'haiku', systemPrompt: 'secret words' });

    const text = await scene.call('claude_code_session', { action: 'get', sessionId });

    expect(parse(text)).toMatchObject({ sessionId, options: { model: 'haiku', permissionMode: 'default' } });
    expect(text).not.toContain('secret words');
  });

  it('interrupts, and says how many prompts were dropped', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    await scene.call('claude_code_reply', { sessionId, prompt: 'later', whenBusy: 'queue' });

    const interrupted = scene.callJson('claude_code_session', { action: 'interrupt', sessionId });
    await interruptOf(process);
    process.result({ outcome: 'interrupted', result: 'Interrupted.' });

    expect(await interrupted).toMatchObject({
      status: 'idle',
      droppedPrompts: 1,
      result: { outcome: 'interrupted' },
    });
  });

  it('cancels, and says how many prompts were dropped', async () => {
    const scene = await createToolScene();
    const { sessionId } = await startVia(scene);
    await scene.call('claude_code_reply', { sessionId, prompt: 'later', whenBusy: 'queue' });

    const cancelled = await scene.callJson('claude_code_session', { action: 'cancel', sessionId });

    expect(cancelled).toMatchObject({ status: 'cancelled', droppedPrompts: 1 });
    expect(cancelled).not.toHaveProperty('queuedPrompts');
  });

  it('advises no reply to a session that it has cancelled', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    process.result({ outcome: 'interrupted', result: 'Interrupted.' });

    const before = await scene.callJson('claude_code_check', { sessionId });
    await scene.call('claude_code_session', { action: 'cancel', sessionId });
    const after = await scene.callJson('claude_code_check', { sessionId });

    expect([before, after]).toMatchObject([
      { status: 'idle', result: { nextStep: 'Reply to continue the session, or start a new session.' } },
      { status: 'cancelled', result: { nextStep: 'Start a new session.' } },
    ]);
  });

  it('lets no copy continue a session that it has cancelled', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    process.result();
    await writeTranscript(scene, sessionId);
    await scene.call('claude_code_session', { action: 'cancel', sessionId });

    const fork = { sessionId, prompt: 'more', forkSession: true };
    const forked = await scene.call('claude_code_reply', fork);

    expect(forked).toBe(
      `Error [CANCELLED]: session ${sessionId} was cancelled. Start a new session with claude_code.`,
    );
    expect(scene.backend.processes).toHaveLength(1);
  });

  it('needs to know which', async () => {
    const { call } = await createToolScene();

    expect(await call('claude_code_session', { action: 'cancel' })).toContain(
      'action "cancel" requires sessionId',
    );
  });
});

describe('claude_code_check that also answers', () => {
  it('answers a question with the questions and the answers', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    const asked = process.ask({
      kind: 'user_question',
      toolName: 'AskUserQuestion',
      input: { questions: [{ question: 'A?', options: [] }] },
    });
    const requestId = await openRequest(scene, sessionId);

    const answers = { 'A?': 'yes' };
    await scene.callOld('claude_code_check', {
      action: 'respond_user_input',
      sessionId,
      requestId,
      answers,
      pollOptions: { waitMs: 0 },
    });

    expect(await asked).toEqual({
      decision: 'allow',
      updatedInput: { questions: [{ question: 'A?', options: [] }], answers },
    });
  });

  it('takes every decision and key that a request accepts', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    const answer = async (ask: Parameters<typeof process.ask>[0], response: Json) => {
      const asked = process.ask(ask);
      const requestId = await openRequest(scene, sessionId);
      const args = { action: 'respond_permission', sessionId, requestId, pollOptions: { waitMs: 0 } };
      await scene.callOld('claude_code_check', { ...args, ...response });
      return asked;
    };

    const granted = await answer({}, { decision: 'allow_for_session' });
    const planned = await answer(
      { kind: 'plan_review', toolName: 'ExitPlanMode', input: { plan: 'Do it.' } },
      { decision: 'allow', permissionOptions: { plan: 'Do it well.', nextMode: 'acceptEdits' } },
    );

    expect(granted).toMatchObject({ decision: 'allow' });
    expect(await process.ask({ toolUseId: 'toolu_2' })).toEqual({ decision: 'allow' });
    expect(planned).toMatchObject({
      decision: 'allow',
      updatedInput: { plan: 'Do it well.' },
      nextMode: 'acceptEdits',
    });
  });

  it('refuses an answer to a poll, which would leave the request open without a word', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    void process.ask();
    const requestId = await openRequest(scene, sessionId);
    const poll = (args: Json) =>
      scene.callOld('claude_code_check', { action: 'poll', sessionId, requestId, ...args });

    const answered = await poll({ decision: 'allow' });
    const read = await poll({ interrupt: false, answers: {}, permissionOptions: {} });

    expect(answered).toBe(
      'Error [INVALID_ARGUMENT]: decision cannot be used with action "poll". Use only sessionId, requestId, cursor, responseMode, pollOptions.',
    );
    expect(read).toContain('npm test');
  });

  it('shows events and usage with an answer, too', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene);
    void process.ask().then(() => process.result());
    const requestId = await openRequest(scene, sessionId);

    const done = parse(
      await scene.callOld('claude_code_check', {
        action: 'respond_permission',
        sessionId,
        requestId,
        decision: 'allow',
        responseMode: 'full',
        pollOptions: { maxEvents: 1 },
      }),
    );

    expect(done['events']).toHaveLength(1);
  });

  it('needs a request and a decision', async () => {
    const scene = await createToolScene();
    const { sessionId } = await startVia(scene);
    const respond = (args: Json) =>
      scene.callOld('claude_code_check', { action: 'respond_permission', sessionId, ...args });

    expect(await respond({})).toContain('requestId is required. No request is open.');
    expect(await respond({ requestId: 'r' })).toContain('action "respond_permission" requires decision');
  });
});

/** The call has come through when the process was told. */
async function interruptOf(process: { readonly interrupts: number }): Promise<void> {
  while (process.interrupts === 0) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
