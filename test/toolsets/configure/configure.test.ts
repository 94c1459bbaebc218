import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/core/observability/audit.js';
import type { Approver, FormReply } from '../../../src/core/forms.js';
import type { ToolContext } from '../../../src/core/tool-context.js';
import { auditInto } from '../../kit/audits.js';
import { configureVocabulary } from '../../../src/toolsets/configure/vocabulary.js';
import { claudeCodeConfigure } from '../../../src/toolsets/configure/configure.js';
import { plainCaller, toolContext } from '../../kit/callers.js';
import { plainPolicy } from '../../kit/policy.js';
import { answerText } from '../../kit/view-text.js';
import {
  createManagerScene,
  startIn,
  writeTranscript,
  type ManagerScene,
  type ManagerSceneOptions,
} from '../../sessions/manager-scene.js';

const halfAnHour = 30 * 60_000;
const yes: FormReply = { action: 'accept', content: { decision: 'allow' } };
const no: FormReply = { action: 'accept', content: { decision: 'deny' } };
const withForms = { ...plainCaller, canAskPerson: true };
const modern = { caller: withForms, canReturnForm: true };
const bypassing = { permissionMode: 'bypassPermissions' } as const;
const human = { policy: { ...plainPolicy, approvals: 'human' as const } };

async function configureScene(options: ManagerSceneOptions = {}) {
  const audited: AuditEntry[] = [];
  const scene = await createManagerScene({
    audit: auditInto(audited),
    ...options,
  });
  const outcome = (action: string, context: Partial<ToolContext> = {}) =>
    claudeCodeConfigure.parse({ action })(
      { sessions: scene.manager, maxWaitMs: 45_000, words: configureVocabulary },
      toolContext(context),
    );
  const call = async (action: string, context: Partial<ToolContext> = {}): Promise<unknown> =>
    JSON.parse(answerText(await outcome(action, context)));
  /** The form of the modern protocol, and the retry that brings its answer. */
  const ask = async () => {
    const answer = await outcome('enable_bypass', modern);
    if ('view' in answer) throw new Error(`no form but ${answerText(answer)}`);
    const { form, state } = answer;
    return {
      form,
      answer: (reply: FormReply) => call('enable_bypass', { ...modern, returned: { state, reply } }),
    };
  };
  return { ...scene, audited, outcome, call, ask };
}

/** A person behind a client of the older protocols. */
function person(scene: () => ManagerScene, reply: FormReply, afterMs: number): Approver {
  return {
    who: plainCaller,
    can: { showForms: true, openPages: false },
    async show() {
      scene().clock.advance(afterMs);
      return reply;
    },
  };
}

const start = ({ manager }: ManagerScene) => manager.start('do it', bypassing, plainCaller);
const refused = { code: 'PERMISSION_DENIED' };

describe('the switch', () => {
  it('is off at first', async () => {
    const scene = await configureScene();

    expect(await scene.call('get_config')).toEqual({
      allowBypass: false,
      message: 'New sessions may not use mode "bypassPermissions".',
    });
    await expect(start(scene)).rejects.toMatchObject(refused);
  });

  it('lets new sessions run without approval for half an hour', async () => {
    const scene = await configureScene();

    expect(await scene.call('enable_bypass')).toMatchObject({ allowBypass: true });
    const { process } = await startIn(scene, bypassing);
    scene.clock.advance(halfAnHour - 1);
    expect(await scene.call('get_config')).toMatchObject({ allowBypass: true });
    scene.clock.advance(1);

    expect(process.launch.options.permissionMode).toBe('bypassPermissions');
    expect(await scene.call('get_config')).toMatchObject({ allowBypass: false });
    await expect(start(scene)).rejects.toMatchObject(refused);
  });

  it('is off again when a caller says so', async () => {
    const scene = await configureScene();
    await scene.call('enable_bypass');

    expect(await scene.call('disable_bypass')).toMatchObject({ allowBypass: false });
    await expect(start(scene)).rejects.toMatchObject(refused);
    expect(scene.audited).toEqual([
      { what: 'bypass_switched', clientId: 'c1', isOn: true, by: 'caller' },
      { what: 'bypass_switched', clientId: 'c1', isOn: false, by: 'caller' },
    ]);
  });

  it('is that of one client', async () => {
    const scene = await configureScene();
    await scene.call('enable_bypass');

    const caller = { ...plainCaller, clientId: 'c2' };
    expect(await scene.call('get_config', { caller })).toMatchObject({ allowBypass: false });
    await expect(scene.manager.start('do it', bypassing, caller)).rejects.toMatchObject(refused);
  });

  it('needs no enabling where callers are fully trusted', async () => {
    const scene = await configureScene({ policy: { ...plainPolicy, callerTrust: 'full' } });

    expect(await scene.call('enable_bypass', modern)).toEqual({
      allowBypass: true,
      message:
        'The operator allows every session to use mode "bypassPermissions" (CLAUDE_CODE_MCP_CALLER_TRUST=full).',
    });
    expect(scene.audited).toEqual([]);
  });

  it('cannot be turned by a caller where only people approve', async () => {
    const scene = await configureScene(human);

    await expect(scene.call('enable_bypass')).rejects.toMatchObject(refused);
    expect(await scene.call('get_config')).toMatchObject({ allowBypass: false });
  });
});

describe('a session that runs without approval', () => {
  async function ended() {
    const scene = await configureScene();
    await scene.call('enable_bypass');
    const { session, process } = await startIn(scene, bypassing);
    process.result();
    await writeTranscript(scene, session.id);
    return { ...scene, session, process };
  }
  const reply = { forkSession: false, whenBusy: 'reject' } as const;

  it('asks again once it is disabled, and cannot return to it', async () => {
    const scene = await ended();
    const { manager, session, process } = scene;
    await scene.call('disable_bypass');
    await scene.call('enable_bypass');

    const diskResumeConfig = { permissionMode: 'bypassPermissions' } as const;
    const late = manager.reply(session.id, 'more', { ...reply, diskResumeConfig }, plainCaller);

    await expect(late).rejects.toMatchObject({ reason: 'bypass_too_late' });
    expect(process.orders).toEqual([{ permissionMode: 'default' }]);
    await manager.reply(session.id, 'more', reply, plainCaller);
    expect(await process.prompt(1)).toMatchObject({ text: 'more' });
  });

  it.each([
    ['resumed', false],
    ['forked', true],
  ])('asks when it is %s after it was switched off', async (_how, forkSession) => {
    const scene = await ended();
    const { manager, session, backend } = scene;
    await scene.call('disable_bypass');
    await session.evict();

    const next = manager.reply(session.id, 'more', { ...reply, forkSession }, plainCaller);
    const process = await backend.process(1);
    process.init();
    await next;

    expect(process.launch.options.permissionMode).toBe('default');
  });
});

describe('a person who is asked by a form that the client brings back', () => {
  it('enables it, also where only people approve', async () => {
    const scene = await configureScene(human);
    const { form, answer } = await scene.ask();
    scene.clock.advance(2_000);

    expect(form.message).toContain('run every tool without approval');
    expect(await answer(yes)).toMatchObject({ allowBypass: true });
    const { process } = await startIn(scene, bypassing);
    expect(process.launch.options.permissionMode).toBe('bypassPermissions');
    expect(scene.audited).toEqual([
      { what: 'bypass_switched', clientId: 'c1', isOn: true, by: 'person' },
      expect.objectContaining({ what: 'prompt_given' }),
    ]);
  });

  it('is asked once: the same answer does not enable it a second time', async () => {
    const scene = await configureScene();
    const { answer } = await scene.ask();
    scene.clock.advance(2_000);
    await answer(yes);
    await scene.call('disable_bypass', modern);

    expect(await answer(yes)).toMatchObject({ allowBypass: false });
  });

  it('is not heard when the form was withdrawn meanwhile', async () => {
    const scene = await configureScene();
    const { answer } = await scene.ask();
    await scene.call('disable_bypass', modern);
    scene.clock.advance(2_000);

    expect(await answer(yes)).toMatchObject({ allowBypass: false });
  });

  it.each<[string, FormReply, number]>([
    ['refuses', no, 2_000],
    ['declines', { action: 'decline' }, 2_000],
    ['is not there', { action: 'cancel' }, 2_000],
    ['was no person', yes, 100],
    ['was no person and declined', { action: 'decline' }, 500],
    ['comes too late', yes, 5 * 60_000 + 1],
    ['says nothing', { action: 'accept', content: {} }, 2_000],
  ])('and %s leaves it off', async (_what, reply, afterMs) => {
    const scene = await configureScene();
    const { answer } = await scene.ask();
    scene.clock.advance(afterMs);

    expect(await answer(reply)).toMatchObject({ allowBypass: false });
    await expect(start(scene)).rejects.toMatchObject(refused);
  });

  it.each<[string, FormReply]>([
    ['refuses', no],
    ['is not there', { action: 'cancel' }],
  ])('and %s is an error where only people approve', async (_what, reply) => {
    const scene = await configureScene(human);
    const { answer } = await scene.ask();
    scene.clock.advance(2_000);

    await expect(answer(reply)).rejects.toMatchObject(refused);
  });

  it('and refuses turns it off where it was on', async () => {
    const scene = await configureScene();
    await scene.call('enable_bypass');
    const { answer } = await scene.ask();
    scene.clock.advance(2_000);

    expect(await answer(no)).toMatchObject({ allowBypass: false });
  });
});

describe('a person who is asked by a form that the client is sent', () => {
  it.each<[string, FormReply, number, boolean]>([
    ['says yes', yes, 2_000, true],
    ['says no', no, 2_000, false],
    ['is not there', { action: 'cancel' }, 2_000, false],
    ['was no person', yes, 10, false],
  ])('and %s', async (_what, reply, afterMs, expected) => {
    const scene: Awaited<ReturnType<typeof configureScene>> = await configureScene({
      approvers: new Set([person(() => scene, reply, afterMs)]),
    });

    expect(await scene.call('enable_bypass', { caller: withForms })).toMatchObject({ allowBypass: expected });
  });

  it('hears a beat while nobody answers, and leaves it off when the form cannot be shown', async () => {
    const beats: string[] = [];
    const scene: Awaited<ReturnType<typeof configureScene>> = await configureScene({
      approvers: new Set([
        {
          who: plainCaller,
          can: { showForms: true, openPages: false },
          show: async (_form, { timeoutMs }) => {
            await Promise.resolve();
            scene.clock.advance(timeoutMs);
            throw new Error('timed out');
          },
        },
      ]),
    });

    const answer = await scene.call('enable_bypass', {
      caller: withForms,
      progress: async (message) => void beats.push(message),
    });

    expect(answer).toMatchObject({ allowBypass: false, message: expect.stringContaining('Nobody') });
    expect(beats).toHaveLength(9);
  });
});
