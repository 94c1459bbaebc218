import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restart, startScene, type Scene } from '../kit/fixture.js';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { ask, exists, human, review, start, touch, wants, writeUserSettings } from '../kit/approval-moves.js';

const rm = { command: 'rm keep.txt' } as const;

/** A folder with something to lose. */
async function startWithFile(options: Parameters<typeof startScene>[0]): Promise<Scene> {
  const scene = await startScene(options);
  writeFileSync(join(scene.sandbox.project, 'keep.txt'), 'keep');
  return scene;
}

function inProject({ sandbox }: Scene, name: string): string {
  return join(sandbox.project, name);
}

/** What the model has been told in this session so far. */
function told({ model }: Scene, sessionId: string): string {
  return JSON.stringify(model.requests(sessionId).at(-1)?.body);
}

/** Who forbids it. */
const forbidding: [string, (scene: Scene, rule: string) => Record<string, unknown>][] = [
  ['the caller', (_scene, rule) => ({ disallowedTools: [rule] })],
  [
    'the user',
    (scene, rule) => {
      writeUserSettings(scene, { permissions: { deny: [rule] } });
      return {};
    },
  ],
];

describe('a tool that the caller forbids', () => {
  const disallowedTools = ['Bash'];

  it.each([
    ['in the default mode', {}],
    ['in acceptEdits', { permissionMode: 'acceptEdits' }],
    ['in plan mode', { permissionMode: 'plan' }],
    ['when it is also allowed in advance', { allowedTools: ['Bash'] }],
  ])('does not exist for the model and is not asked, %s', async (_name, options) => {
    const scene = await startWithFile({ era: 'modern' });
    wants(scene, tool('Bash', rm));

    const done = await start(scene, { disallowedTools, ...options });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('does not come back for a subagent, in a resumed session or in a fork', async () => {
    const before = await startWithFile({ era: 'legacy' });
    before.model.when('a part of it', [tool('Bash', rm), text('done')]);
    const part = { description: 'part', prompt: 'a part of it', subagent_type: 'general-purpose' };
    wants(before, tool('Agent', { ...part, run_in_background: false }));
    const first = await start(before, { disallowedTools });
    const scene = await restart(before, { era: 'legacy' });
    wants(scene, tool('Bash', rm));
    const reply = { sessionId: first.json.sessionId, prompt: 'do it', waitMs: 20_000 };

    const resumed = await scene.server.call('claude_code_reply', reply);
    const forked = await scene.server.call('claude_code_reply', { ...reply, forkSession: true });

    expect([first, resumed, forked].map(({ json }) => json.status)).toEqual(['idle', 'idle', 'idle']);
    expect(exists(scene, 'keep.txt')).toBe(true);
  });
});

describe.each(forbidding)('a command that %s forbids', (_who, forbid) => {
  it.each([
    ['in the default mode', 'rm keep.txt', {}],
    ['in acceptEdits', 'rm keep.txt', { permissionMode: 'acceptEdits' }],
    ['when its tool is allowed in advance', 'rm keep.txt', { allowedTools: ['Bash'] }],
    ['when it is allowed in advance itself', 'rm keep.txt', { allowedTools: ['Bash(rm *)'] }],
    ['behind another command', 'touch a.txt && rm keep.txt', {}],
    ['behind a variable', 'A=1 rm keep.txt', {}],
  ])('is denied without asking, %s', async (_name, command, options) => {
    const scene = await startWithFile({ era: 'modern' });
    wants(scene, tool('Bash', { command }));

    const done = await start(scene, { ...forbid(scene, 'Bash(rm *)'), ...options });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(told(scene, done.json.sessionId)).toContain('has been denied');
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('stays denied in plan mode, although somebody allowed it', async () => {
    const scene = await startWithFile({ era: 'modern' });
    wants(scene, tool('Bash', rm));

    const asked = await start(scene, { ...forbid(scene, 'Bash(rm *)'), permissionMode: 'plan' });
    const done = await scene.server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
    });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(told(scene, done.json.sessionId)).toContain('has been denied');
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('stays denied where only people approve, although a person allowed it', async () => {
    const scene = await startWithFile({ era: 'legacy', env: human, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'allow' }));
    wants(scene, tool('Bash', rm));

    const done = await start(scene, forbid(scene, 'Bash(rm *)'));

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(person.forms).toHaveLength(1);
    expect(told(scene, done.json.sessionId)).toContain('has been denied');
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('stays denied after an edited plan that names it', async () => {
    const scene = await startWithFile({ era: 'modern' });
    const { requestId, action } = await review(scene, tool('Bash', rm), forbid(scene, 'Bash(rm *)'));

    const built = await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      plan: '# Plan\nRun `rm keep.txt`.',
      nextMode: 'acceptEdits',
    });

    expect(action).toMatchObject({ type: 'plan_review' });
    expect(built.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'keep.txt')).toBe(true);
  });
});

describe('a command that the caller forbids', () => {
  it.each([
    ['allowed once', { decision: 'allow' }],
    ['allowed for the session', { decision: 'allow_for_session' }],
    [
      'allowed with a rule for the tool',
      { decision: 'allow', updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash' }] }] },
    ],
    [
      'allowed with the very rule',
      {
        decision: 'allow',
        updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'rm *' }] }],
      },
    ],
    [
      'allowed with a mode that edits unasked',
      { decision: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }] },
    ],
  ])('stays denied after another one was %s, in the next process too', async (_name, answer) => {
    const before = await startWithFile({ era: 'modern' });
    wants(before, tool('Bash', touch), tool('Bash', rm));
    const asked = await start(before, { disallowedTools: ['Bash(rm *)'] });
    const { sessionId } = asked.json;
    const requestId = asked.json.actions?.[0]?.requestId;
    const first = await before.server.call('claude_code_respond', { requestId, ...answer });
    const keptFirst = exists(before, 'keep.txt');
    const scene = await restart(before, { era: 'modern' });
    wants(scene, tool('Bash', rm));

    const next = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });

    expect(first.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(next.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect([exists(scene, 'a.txt'), keptFirst, exists(scene, 'keep.txt')]).toEqual([true, true, true]);
  });
});

interface Edit {
  readonly name: string;
  readonly rule: string;
  readonly asked: (scene: Scene) => ScriptStep;
  readonly edited: (scene: Scene) => Record<string, unknown>;
  /** Whether what is forbidden was done after all. */
  readonly isDone: (scene: Scene, sessionId: string) => boolean;
}

const askTouch = (): ScriptStep => tool('Bash', touch);
const askWrite = (scene: Scene): ScriptStep =>
  tool('Write', { file_path: inProject(scene, 'a.txt'), content: 'a' });
const isGone = (scene: Scene): boolean => !exists(scene, 'keep.txt');
const isChanged = (scene: Scene): boolean => exists(scene, 'secret.txt');
const isRead = (scene: Scene, sessionId: string): boolean => told(scene, sessionId).includes('OSPREY');

const edits: Edit[] = [
  { name: 'a command', rule: 'Bash(rm *)', asked: askTouch, edited: () => rm, isDone: isGone },
  {
    name: 'a command behind another one',
    rule: 'Bash(rm *)',
    asked: askTouch,
    edited: () => ({ command: 'touch a.txt && rm keep.txt' }),
    isDone: isGone,
  },
  {
    name: 'a command that reads a file',
    rule: 'Read(bird.txt)',
    asked: askTouch,
    edited: () => ({ command: 'cat bird.txt' }),
    isDone: isRead,
  },
  {
    name: 'a command that writes a file',
    rule: 'Edit(secret.txt)',
    asked: askTouch,
    edited: () => ({ command: 'echo x > secret.txt' }),
    isDone: isChanged,
  },
  {
    name: 'the reading of a file',
    rule: 'Read(bird.txt)',
    asked: () => tool('Read', { file_path: '/etc/hostname' }),
    edited: (scene) => ({ file_path: inProject(scene, 'bird.txt') }),
    isDone: isRead,
  },
  {
    name: 'the fetching of a page',
    rule: 'WebFetch(domain:example.com)',
    asked: () => tool('WebFetch', { url: 'https://example.org/', prompt: 'read' }),
    edited: () => ({ url: 'https://example.com/', prompt: 'read' }),
    // There is no network here: it says so when it has tried.
    isDone: (scene, sessionId) => told(scene, sessionId).includes('Unable to verify'),
  },
  {
    name: 'the writing of a file',
    rule: 'Edit(secret.txt)',
    asked: askWrite,
    edited: (scene) => ({ file_path: inProject(scene, 'secret.txt'), content: 's' }),
    isDone: isChanged,
  },
  {
    name: 'the writing of a file, by a roundabout path',
    rule: 'Edit(secret.txt)',
    asked: askWrite,
    edited: ({ sandbox }) => ({ file_path: `${sandbox.root}/home/../project/secret.txt`, content: 's' }),
    isDone: isChanged,
  },
];

describe.each(forbidding)('what %s forbids', (_who, forbid) => {
  it.each(edits)('is not done by an edited input: $name', async ({ rule, asked, edited, isDone }) => {
    const scene = await startWithFile({ era: 'modern' });
    writeFileSync(inProject(scene, 'bird.txt'), 'OSPREY');
    const { sessionId, requestId } = await ask(scene, asked(scene), forbid(scene, rule));
    expect(requestId).not.toBe('');

    await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      updatedInput: edited(scene),
    });

    expect(isDone(scene, sessionId)).toBe(false);
  });
});

it.each(['Edit(secret.txt)', 'Write(secret.txt)'])(
  'a file that the caller forbids by %s is not written, though it is allowed afterwards',
  async (rule) => {
    const scene = await startScene({ era: 'modern' });
    wants(scene, tool('Write', { file_path: inProject(scene, 'secret.txt'), content: 's' }));

    const asked = await start(scene, { disallowedTools: [rule] });
    const requestId = asked.isError ? undefined : asked.json.actions?.[0]?.requestId;
    if (requestId !== undefined)
      await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(isChanged(scene)).toBe(false);
  },
);
