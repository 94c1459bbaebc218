import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Audit, AuditEntry } from '../../src/core/observability/audit.js';
import { AppError } from '../../src/core/errors.js';
import { noMeter, type Measurement } from '../../src/core/observability/measurements.js';
import { auditInto } from '../kit/audits.js';
import { plainCaller } from '../kit/callers.js';
import { plainAsk } from '../kit/fake-backend.js';
import { plainPolicy } from '../kit/policy.js';
import { createManagerScene, startIn } from './manager-scene.js';

const caller = { ...plainCaller, client: 'kit 1.0.0', era: 'modern' as const };
const who = { clientId: 'c1', client: 'kit 1.0.0', era: 'modern' };

/** An audit log that can be made to fail. */
function breakable(): { audit: Audit; entries: AuditEntry[]; disk: { isFull: boolean } } {
  const entries: AuditEntry[] = [];
  const disk = { isFull: false };
  const written = auditInto(entries);
  const recordOrThrow = (entry: AuditEntry): void => {
    if (disk.isFull) throw new AppError('audit_unwritable', { path: '/full' });
    written.recordOrThrow(entry);
  };
  return { audit: { ...written, recordOrThrow }, entries, disk };
}

describe('a prompt', () => {
  it('is recorded before it is sent, with folder and options but without its text', async () => {
    const { audit, entries } = breakable();
    const scene = await createManagerScene({ audit, policy: { ...plainPolicy, callerTrust: 'full' } });
    const started = scene.manager.start('do it', { env: { A: 'b' }, model: 'm' }, caller);
    const process = await scene.backend.process(0);
    await process.prompt(0);
    process.init();
    const { id } = await started;

    expect(entries).toMatchObject([
      {
        what: 'prompt_given',
        sessionId: id,
        promptChars: 5,
        cwd: scene.project,
        options: { model: 'm', permissionMode: 'default' },
        withheld: ['env'],
        ...who,
      },
    ]);
    expect(entries[0]).not.toHaveProperty('options.env');
  });

  it('is not sent if it cannot be recorded, and leaves nothing behind', async () => {
    const { audit, disk } = breakable();
    const scene = await createManagerScene({ audit });
    const { session, process } = await startIn(scene);
    process.result();
    disk.isFull = true;

    const reply = { forkSession: false, whenBusy: 'queue' } as const;
    await expect(scene.manager.start('go', {}, caller)).rejects.toThrow(
      'the audit log /full cannot be written',
    );
    await expect(scene.manager.reply(session.id, 'go', reply, caller)).rejects.toThrow(
      'the audit log /full cannot be written',
    );

    expect(scene.manager.list()).toEqual([session]);
    expect(scene.backend.processes).toHaveLength(1);
    expect(session.view.state.status).toBe('idle');
  });

  it('is not recorded if its session is busy or has ended', async () => {
    const { audit, entries } = breakable();
    const scene = await createManagerScene({ audit });
    const { session } = await startIn(scene);
    const reply = { forkSession: false, whenBusy: 'reject' } as const;

    await expect(scene.manager.reply(session.id, 'go', reply, caller)).rejects.toThrow('is busy');
    await session.cancel();
    await expect(scene.manager.reply(session.id, 'go', reply, caller)).rejects.toThrow('was cancelled');

    expect(entries.filter(({ what }) => what === 'prompt_given')).toHaveLength(1);
  });

  it('is recorded with its cost', async () => {
    const { audit, entries } = breakable();
    const scene = await createManagerScene({ audit });
    const { session, process } = await startIn(scene);

    process.result({ costUsd: 0.5, durationMs: 70 });

    expect(entries.slice(1)).toEqual([
      {
        what: 'turn_ended',
        sessionId: session.id,
        turn: 1,
        outcome: 'completed',
        errorSubtype: undefined,
        durationMs: 70,
        costUsd: 0.5,
      },
    ]);
  });
});

describe('a process that is killed', () => {
  it('is charged in the audit log and the metrics, and its turn ends once', async () => {
    const { audit, entries } = breakable();
    const measured: Measurement[] = [];
    const meter = { ...noMeter, measure: (one: Measurement) => void measured.push(one) };
    const scene = await createManagerScene({ audit, meter });
    const { session, process } = await startIn(scene, { maxBudgetUsd: 5 });
    process.signal({
      type: 'message_seen',
      uuid: 'b',
      answer: { id: 'a', usage: { input_tokens: 100_000 }, chars: 0 },
    });

    process.exit({ reason: 'Claude Code was terminated by SIGKILL' });

    expect(entries.slice(1)).toMatchObject([
      { what: 'cost_estimated', sessionId: session.id, turn: 1, costUsd: 2.55 },
      { what: 'turn_ended', sessionId: session.id, turn: 1, outcome: 'failed', costUsd: 0 },
    ]);
    expect(measured.filter(({ what }) => what === 'model_used')).toMatchObject([
      { model: 'unknown', costUsd: 2.55 },
    ]);
  });
});

describe('an answer', () => {
  it('is refused if it allows and cannot be recorded, but accepted if it denies', async () => {
    const { audit, entries, disk } = breakable();
    const scene = await createManagerScene({ audit });
    const { session, process } = await startIn(scene);
    const answered = process.ask(plainAsk);
    const [request] = session.view.openInputs;
    if (request === undefined) throw new Error('nothing is asked');
    disk.isFull = true;

    await expect(
      scene.manager.approvals.answer(session.view, request, { decision: 'allow' }, caller),
    ).rejects.toThrow('the audit log /full cannot be written');
    expect(session.view.openInputs).toEqual([request]);
    await scene.manager.approvals.answer(session.view, request, { decision: 'deny' }, caller);

    expect(await answered).toMatchObject({ decision: 'deny' });
    expect(entries.slice(1)).toMatchObject([
      { what: 'input_settled', decision: 'deny', answeredBy: 'caller', clientId: 'c1' },
    ]);
  });

  it('from an earlier approval is recorded first too, and becomes a request if that fails', async () => {
    const { audit, entries, disk } = breakable();
    const scene = await createManagerScene({ audit });
    const { session, process } = await startIn(scene);
    const asked = process.ask(plainAsk);
    const [request] = session.view.openInputs;
    if (request === undefined) throw new Error('nothing is asked');
    await scene.manager.approvals.answer(session.view, request, { decision: 'allow_for_session' }, caller);
    await asked;

    const granted = await process.ask(plainAsk);
    disk.isFull = true;
    void process.ask(plainAsk);

    expect(granted).toMatchObject({ decision: 'allow' });
    expect(session.view.openInputs).toMatchObject([{ toolName: plainAsk.toolName }]);
    expect(entries.slice(1)).toMatchObject([
      { what: 'input_settled', decision: 'allow', answeredBy: 'caller', forSession: true },
      { what: 'input_settled', decision: 'allow', answeredBy: 'rule' },
    ]);
  });

  it('is recorded with the folder to which a command has moved the session', async () => {
    const { audit, entries } = breakable();
    const scene = await createManagerScene({ audit });
    const { session, process } = await startIn(scene);
    const answerNext = async (): Promise<void> => {
      const [request] = session.view.openInputs;
      if (request === undefined) throw new Error('nothing is asked');
      await scene.manager.approvals.answer(session.view, request, { decision: 'deny' }, caller);
    };

    process.judge({ toolUseId: 'toolu_1', cwd: '/srv/elsewhere' });
    void process.ask({ ...plainAsk, toolUseId: 'toolu_1' });
    await answerNext();
    process.judge({ toolUseId: 'toolu_2', cwd: session.view.options.cwd });
    void process.ask({ ...plainAsk, toolUseId: 'toolu_2' });
    await answerNext();

    expect(entries.slice(1)).toMatchObject([
      { what: 'input_settled', folder: '/srv/elsewhere' },
      { what: 'input_settled', folder: undefined },
    ]);
  });

  it('is recorded with the input that will run and the grants', async () => {
    const { audit, entries } = breakable();
    const scene = await createManagerScene({ audit });
    const { session, process } = await startIn(scene);
    void process.ask({ ...plainAsk, toolName: 'Bash', input: { command: 'rm a' } });
    const [request] = session.view.openInputs;
    if (request === undefined) throw new Error('nothing is asked');

    await scene.manager.approvals.answer(
      session.view,
      request,
      { decision: 'allow', updatedInput: { command: 'rm b' } },
      caller,
    );

    expect(entries.slice(1)).toMatchObject([
      { what: 'input_settled', summary: 'Bash: rm b', isEdited: true, decision: 'allow' },
    ]);
  });

  it('is recorded with a hash of the whole input, although the summary is masked and truncated', async () => {
    const { audit, entries } = breakable();
    const scene = await createManagerScene({ audit });
    const { session, process } = await startIn(scene);
    const input = { command: `echo ${'x'.repeat(300)}; rm a; echo ${'x'.repeat(300)}` };
    void process.ask({ ...plainAsk, toolName: 'Bash', input });
    const [request] = session.view.openInputs;
    if (request === undefined) throw new Error('nothing is asked');

    await scene.manager.approvals.answer(session.view, request, { decision: 'allow' }, caller);

    const json = JSON.stringify(input);
    const inputHash = createHash('sha256').update(json).digest('hex');
    expect(entries.slice(1)).toMatchObject([
      { what: 'input_settled', inputHash, inputChars: json.length, decision: 'allow' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('rm a');
  });
});
