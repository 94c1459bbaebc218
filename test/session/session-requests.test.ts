import { describe, expect, it } from 'vitest';
import { reply, startedScene } from './session-scene.js';

describe('a request', () => {
  it('makes the session wait until every request is answered', async () => {
    const { session, process, broker } = await startedScene();
    const asks = [process.ask(), process.ask({ toolName: 'Write', input: { file_path: 'a' } })];
    const [first, second] = session.view.openInputs.map(({ requestId }) => requestId);

    broker.answer(first ?? '', { decision: 'allow' }, 'caller');
    expect(session.view.state.status).toBe('waiting');
    broker.answer(second ?? '', { decision: 'deny', message: 'no', interrupt: false }, 'caller');

    expect(session.view.state.status).toBe('running');
    expect(await Promise.all(asks)).toMatchObject([{ decision: 'allow' }, { decision: 'deny' }]);
    expect(session.view.log.read(0).events).toMatchObject([
      { type: 'input_request', requestId: first, toolName: 'Bash', summary: 'Bash: npm test' },
      { type: 'input_request', requestId: second, toolName: 'Write', summary: 'Write: a' },
      { type: 'input_resolved', requestId: first, decision: 'allow', answeredBy: 'caller' },
      { type: 'input_resolved', requestId: second, decision: 'deny', answeredBy: 'caller' },
    ]);
  });

  it('that adds an untrusted folder ends what the process has loaded of the project, before the next prompt', async () => {
    const settingSources = ['user', 'project', 'local'] as const;
    const { session, process, backend, broker } = await startedScene({ options: { settingSources } });
    const answered = process.ask();
    const updates = [{ type: 'addDirectories', directories: ['/c'], isUntrusted: true }] as const;
    broker.answer(session.view.openInputs[0]?.requestId ?? '', { decision: 'allow', updates }, 'caller');
    await answered;
    process.result();

    await reply(session, 'second');
    const { launch } = await backend.process(1);

    expect(process.hasExited).toBe(true);
    expect(launch.options).toMatchObject({ settingSources: ['user'], additionalDirectories: ['/c'] });
  });

  it('that adds an untrusted folder ends language servers before the next prompt, and holds them until then', async () => {
    const { session, process, backend, broker } = await startedScene();
    const call = { toolName: 'LSP', toolUseId: 'l', input: { filePath: '/c/a.ts' } };
    const before = process.judge(call);
    const answered = process.ask();
    const updates = [
      { type: 'addDirectories', directories: ['/c'], isUntrusted: true, languagePlugins: ['ts@nest'] },
    ] as const;
    broker.answer(session.view.openInputs[0]?.requestId ?? '', { decision: 'allow', updates }, 'caller');
    await answered;
    const after = process.judge(call);
    process.result();

    await reply(session, 'second');
    const { launch } = await backend.process(1);

    expect([before, after]).toEqual([
      'pass',
      {
        ask: 'A language server can run code of a folder, and one of this session is not trusted',
        isGrantable: true,
      },
    ]);
    expect(process.hasExited).toBe(true);
    expect(launch.options).toMatchObject({ withheldPlugins: ['ts@nest'], additionalDirectories: ['/c'] });
  });

  it('keeps saying in which folder it runs, however many calls come after it', async () => {
    const { session, process, broker } = await startedScene();
    const folder = '/nowhere/project/sub';
    process.judge({ toolUseId: 'asked', cwd: folder });
    const answer = process.ask({ toolUseId: 'asked' });
    const [request] = session.view.openInputs;

    for (let call = 0; call < 2_001; call += 1)
      process.judge({ toolName: 'Read', toolUseId: `read ${call}`, input: {}, cwd: folder });
    broker.answer(request?.requestId ?? '', { decision: 'allow' }, 'caller');

    expect(request).toMatchObject({ folder });
    expect(await answer).toEqual({ decision: 'allow' });
  });

  it('is denied at its deadline, and the turn continues', async () => {
    const { session, process, clock } = await startedScene();
    const answer = process.ask();

    clock.advance(60_000);

    expect(await answer).toMatchObject({ decision: 'deny', interrupt: false });
    expect(session.view.state.status).toBe('running');
  });

  it('is withdrawn when the turn ends', async () => {
    const { session, process } = await startedScene();
    const answer = process.ask();

    process.result({ outcome: 'failed', errorSubtype: 'other' });

    expect(await answer).toMatchObject({ decision: 'deny' });
    expect(session.view.state).toEqual({ status: 'error', outcome: 'failed' });
    expect(session.view.log.read(0).events.map(({ type }) => type)).toEqual([
      'input_request',
      'input_resolved',
      'result',
    ]);
  });

  it('leaves the session idle if it is withdrawn after its turn has ended', async () => {
    const { session, process } = await startedScene();
    const withdrawal = new AbortController();
    const answer = process.ask({}, withdrawal.signal);

    process.result();
    process.activity('idle');
    withdrawal.abort();

    expect(await answer).toMatchObject({ decision: 'deny' });
    expect(session.view.openInputs).toEqual([]);
    expect(session.view.state).toEqual({ status: 'idle', outcome: 'completed' });
  });

  it('is withdrawn when the process exits', async () => {
    const { session, process } = await startedScene();
    const answer = process.ask();

    process.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    expect(await answer).toMatchObject({ decision: 'deny' });
    expect(session.view.openInputs).toEqual([]);
    expect(session.view.state.status).toBe('error');
  });
});

describe('a grant for the session', () => {
  it('answers the same call', async () => {
    const scene = await grantedScene();

    expect(await scene.process.ask({ toolUseId: 'toolu_2' })).toEqual({ decision: 'allow' });
    expect(scene.session.view.openInputs).toEqual([]);
  });

  it('does not answer a call that the gate holds in plan mode', async () => {
    const { session, process } = await grantedScene();

    const decision = process.judge({ toolUseId: 'toolu_2', permissionMode: 'plan' });
    void process.ask({ toolUseId: 'toolu_2' });

    expect(decision).toMatchObject({ isGrantable: false });
    expect(session.view.openInputs).toMatchObject([{ toolUseId: 'toolu_2' }]);
  });

  it('cannot be given to a call of the gate that comes back changed after it was allowed once', async () => {
    const { session, process, broker } = await startedScene();
    process.judge({ toolUseId: 'toolu_2', permissionMode: 'plan' });
    const asked = process.ask({ toolUseId: 'toolu_2' });
    const [request] = session.view.openInputs;
    broker.answer(request?.requestId ?? '', { decision: 'allow' }, 'caller');
    await asked;

    void process.ask({ toolUseId: 'toolu_2', input: { command: 'changed by a hook' } });

    expect(session.view.openInputs).toMatchObject([{ toolUseId: 'toolu_2', isGrantable: false }]);
  });

  it.each([
    ['one', [`Bash(make ${'c'.repeat(300)} *)`]],
    ['one among others', [`Bash(a ${'a'.repeat(120)})`, 'Bash(docker run *)', `Bash(b ${'b'.repeat(120)})`]],
  ])('offers no rule that is too long to be shown: %s', async (_which, suggestedRules) => {
    const { session, process, broker } = await startedScene();
    const asked = process.ask({ suggestedRules });
    const [request] = session.view.openInputs;

    broker.answer(request?.requestId ?? '', { decision: 'allow', forSession: true }, 'caller');

    expect(request?.suggestedRules).toBeUndefined();
    expect(await asked).toEqual({ decision: 'allow' });
  });
});

/** A session in which the plain request was allowed for the session. */
async function grantedScene(): Promise<Awaited<ReturnType<typeof startedScene>>> {
  const scene = await startedScene();
  const asked = scene.process.ask();
  const [request] = scene.session.view.openInputs;
  scene.broker.answer(request?.requestId ?? '', { decision: 'allow', forSession: true }, 'caller');
  await asked;
  return scene;
}
