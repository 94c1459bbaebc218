import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { restart, shareScene, startScene, type Scene } from '../kit/fixture.js';
import { text, tool, type MessageStep } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { toolResultText } from '../kit/tool-result.js';
import { exists, human, review, start, touch, wants, writeUserSettings } from '../kit/approval-moves.js';

const rm = { command: 'rm keep.txt' } as const;
const wish = tool('Bash', rm, { id: 'toolu_rm' });

/** Something to lose. */
function keepFile({ sandbox }: Scene): void {
  writeFileSync(join(sandbox.project, 'keep.txt'), 'keep');
}

async function startWithFile(options: Parameters<typeof startScene>[0]): Promise<Scene> {
  const scene = await startScene(options);
  keepFile(scene);
  return scene;
}

function inProject({ sandbox }: Scene, name: string): string {
  return join(sandbox.project, name);
}

/** What the model was told about a call: proof that Claude Code was asked for it, and refused. */
function told({ model }: Scene, sessionId: string, toolUseId = 'toolu_rm'): string {
  const last = model.requests(sessionId).at(-1);
  return (last && toolResultText(last, toolUseId)) ?? 'the model never asked';
}

/** The rules of the one who forbids. */
const forbidding: [string, (scene: Scene, ...rules: string[]) => Record<string, unknown>][] = [
  [
    'the caller',
    (scene, ...rules) => {
      writeUserSettings(scene, {});
      return { disallowedTools: rules };
    },
  ],
  [
    'the user',
    (scene, ...rules) => {
      writeUserSettings(scene, { permissions: { deny: rules } });
      return {};
    },
  ],
];

describe('a tool that the caller forbids', () => {
  const disallowedTools = ['Bash'];
  const share = shareScene({ era: 'modern' });
  const noSuchTool = /No such tool available: Bash|Bash .*not (available|enabled)/;

  it.each([
    ['in the default mode', {}],
    ['in acceptEdits', { permissionMode: 'acceptEdits' }],
    ['in plan mode', { permissionMode: 'plan' }],
    ['when it is also allowed in advance', { allowedTools: ['Bash'] }],
  ])('does not exist for the model and is not asked, %s', async (_name, options) => {
    const scene = share();
    keepFile(scene);
    wants(scene, wish);

    const done = await start(scene, { disallowedTools, ...options });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(told(scene, done.json.sessionId)).toMatch(noSuchTool);
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('does not come back for a subagent, in a resumed session or in a fork', async () => {
    const before = await startWithFile({ era: 'legacy' });
    before.model.when('a part of it', [wish, text('done')]);
    const part = { description: 'part', prompt: 'a part of it', subagent_type: 'general-purpose' };
    wants(before, tool('Agent', { ...part, run_in_background: false }));
    const first = await start(before, { disallowedTools });
    const bySubagent = before.model.requests().findLast(({ agentId }) => agentId !== undefined);
    const scene = await restart(before, { era: 'legacy' });
    wants(scene, wish);
    const reply = { sessionId: first.json.sessionId, prompt: 'do it', waitMs: 20_000 };

    const resumed = await scene.server.call('claude_code_reply', reply);
    const forked = await scene.server.call('claude_code_reply', { ...reply, forkSession: true });

    expect([first, resumed, forked].map(({ json }) => json.status)).toEqual(['idle', 'idle', 'idle']);
    expect(bySubagent && toolResultText(bySubagent, 'toolu_rm')).toMatch(noSuchTool);
    for (const { json } of [resumed, forked]) expect(told(scene, json.sessionId)).toMatch(noSuchTool);
    expect(exists(scene, 'keep.txt')).toBe(true);
  });
});

describe.each(forbidding)('a command that %s forbids', (_who, forbid) => {
  const share = shareScene({ era: 'modern' });
  beforeEach(() => keepFile(share()));

  it.each([
    ['in the default mode', ['rm keep.txt', 'touch a.txt && rm keep.txt', 'A=1 rm keep.txt'], {}],
    ['in acceptEdits', ['rm keep.txt'], { permissionMode: 'acceptEdits' }],
    ['when its tool is allowed in advance', ['rm keep.txt'], { allowedTools: ['Bash'] }],
    ['when it is allowed in advance itself', ['rm keep.txt'], { allowedTools: ['Bash(rm *)'] }],
  ])('is denied without asking, %s, also behind other words', async (_name, commands, options) => {
    const scene = share();
    const ids = commands.map((_command, index) => `toolu_rm_${index}`);
    wants(scene, ...commands.map((command, index) => tool('Bash', { command }, { id: ids[index] ?? '' })));

    const done = await start(scene, { ...forbid(scene, 'Bash(rm *)'), ...options });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    for (const id of ids) expect(told(scene, done.json.sessionId, id)).toContain('has been denied');
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('stays denied in plan mode, although somebody allowed it', async () => {
    const scene = share();
    wants(scene, wish);

    const asked = await start(scene, { ...forbid(scene, 'Bash(rm *)'), permissionMode: 'plan' });
    const done = await scene.server.call('claude_code_respond', {
      requestId: asked.json.actions?.[0]?.requestId,
      decision: 'allow',
    });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(told(scene, done.json.sessionId)).toContain('has been denied');
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('stays denied after an edited plan that names it', async () => {
    const scene = share();
    const { sessionId, requestId, action } = await review(scene, wish, forbid(scene, 'Bash(rm *)'));

    const built = await scene.server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      plan: '# Plan\nRun `rm keep.txt`.',
      nextMode: 'acceptEdits',
    });

    expect(action).toMatchObject({ type: 'plan_review' });
    expect(built.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(told(scene, sessionId)).toContain('has been denied');
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('stays denied where only people approve, although a person allowed it', async () => {
    const scene = await startWithFile({ era: 'legacy', env: human, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'allow' }));
    wants(scene, wish);

    const done = await start(scene, forbid(scene, 'Bash(rm *)'));

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(person.forms).toHaveLength(1);
    expect(told(scene, done.json.sessionId)).toContain('has been denied');
    expect(exists(scene, 'keep.txt')).toBe(true);
  });
});

describe('a command that the caller forbids', () => {
  // What else an approval may bring, and that the rule goes along with every process, is tested in process.
  it.each([
    ['allowed for the session', { decision: 'allow_for_session' }],
    [
      'allowed with the very rule',
      {
        decision: 'allow',
        updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'rm *' }] }],
      },
    ],
  ])('stays denied after another one was %s, in the next process too', async (_name, answer) => {
    const before = await startWithFile({ era: 'modern' });
    wants(before, tool('Bash', touch), wish);
    const asked = await start(before, { disallowedTools: ['Bash(rm *)'] });
    const { sessionId } = asked.json;
    const requestId = asked.json.actions?.[0]?.requestId;
    const first = await before.server.call('claude_code_respond', { requestId, ...answer });
    const toldFirst = told(before, sessionId);
    const scene = await restart(before, { era: 'modern' });
    wants(scene, tool('Bash', rm, { id: 'toolu_again' }));

    const next = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });

    expect(first.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(next.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    for (const words of [toldFirst, told(scene, sessionId, 'toolu_again')])
      expect(words).toContain('has been denied');
    expect([exists(scene, 'a.txt'), exists(scene, 'keep.txt')]).toEqual([true, true]);
  });
});

interface Edit {
  readonly name: string;
  readonly rule: string;
  readonly asked: (scene: Scene, id: string) => MessageStep;
  readonly edited: (scene: Scene) => Record<string, unknown>;
}

const askTouch = (_scene: Scene, id: string): MessageStep => tool('Bash', touch, { id });
const askWrite = (scene: Scene, id: string): MessageStep =>
  tool('Write', { file_path: inProject(scene, 'a.txt'), content: 'a' }, { id });

const edits: Edit[] = [
  { name: 'a command', rule: 'Bash(rm *)', asked: askTouch, edited: () => rm },
  {
    name: 'a command behind another one',
    rule: 'Bash(rm *)',
    asked: askTouch,
    edited: () => ({ command: 'touch a.txt && rm keep.txt' }),
  },
  {
    name: 'a command that reads a file',
    rule: 'Read(bird.txt)',
    asked: askTouch,
    edited: () => ({ command: 'cat bird.txt' }),
  },
  {
    name: 'a command that writes a file',
    rule: 'Edit(secret.txt)',
    asked: askTouch,
    edited: () => ({ command: 'echo x > secret.txt' }),
  },
  {
    name: 'the reading of a file',
    rule: 'Read(bird.txt)',
    asked: (_scene, id) => tool('Read', { file_path: '/etc/hostname' }, { id }),
    edited: (scene) => ({ file_path: inProject(scene, 'bird.txt') }),
  },
  {
    name: 'the fetching of a page',
    rule: 'WebFetch(domain:example.com)',
    asked: (_scene, id) => tool('WebFetch', { url: 'https://example.org/', prompt: 'read' }, { id }),
    edited: () => ({ url: 'https://example.com/', prompt: 'read' }),
  },
  {
    name: 'the writing of a file',
    rule: 'Edit(secret.txt)',
    asked: askWrite,
    edited: (scene) => ({ file_path: inProject(scene, 'secret.txt'), content: 's' }),
  },
  {
    name: 'the writing of a file, by a roundabout path',
    rule: 'Edit(secret.txt)',
    asked: askWrite,
    edited: ({ sandbox }) => ({ file_path: `${sandbox.root}/home/../project/secret.txt`, content: 's' }),
  },
];

const isAboutCommands = ({ rule }: Edit): boolean => rule.startsWith('Bash');

describe.each(forbidding)('what %s forbids', (_who, forbid) => {
  // Apart: beside a rule for commands the server lets no command be edited at all.
  it.each([
    ['commands', edits.filter(isAboutCommands)],
    ['files and pages', edits.filter((edit) => !isAboutCommands(edit))],
  ])('is not done by an edited input: %s', async (_what, tries) => {
    const scene = await startWithFile({ era: 'modern' });
    const { server } = scene;
    writeFileSync(inProject(scene, 'bird.txt'), 'OSPREY');
    wants(scene, ...tries.map(({ asked }, index) => asked(scene, `toolu_${index}`)));
    let { json } = await start(scene, forbid(scene, ...new Set(tries.map(({ rule }) => rule))));
    const { sessionId } = json;
    const refused = new Set<number>();

    for (const [index, { name, edited }] of tries.entries()) {
      const requestId = json.actions?.[0]?.requestId;
      expect(requestId, name).toBeDefined();
      const updatedInput = edited(scene);
      let answer = await server.call('claude_code_respond', { requestId, decision: 'allow', updatedInput });
      if (answer.isError) {
        expect(answer.text, name).toMatch(/^Error \[PERMISSION_DENIED\]: updatedInput is not allowed/);
        refused.add(index);
        answer = await server.call('claude_code_respond', { requestId, decision: 'deny' });
      }
      ({ json } = answer);
    }

    expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    for (const [index, { name }] of tries.entries()) {
      const words = told(scene, sessionId, `toolu_${index}`);
      if (!refused.has(index)) expect.soft(words, name).toMatch(/denied|deny/);
      expect.soft(words, name).not.toContain('OSPREY');
    }
    expect([exists(scene, 'keep.txt'), exists(scene, 'secret.txt')]).toEqual([true, false]);
  });
});

describe('a file that the caller forbids', () => {
  const share = shareScene({ era: 'modern' });

  it.each(['Edit(secret.txt)', 'Write(secret.txt)'])(
    'by %s is not written, though it is allowed afterwards',
    async (rule) => {
      const scene = share();
      const input = { file_path: inProject(scene, 'secret.txt'), content: 's' };
      wants(scene, tool('Write', input, { id: 'toolu_write' }));

      const asked = await start(scene, { disallowedTools: [rule] });
      const requestId = asked.isError ? undefined : asked.json.actions?.[0]?.requestId;
      if (requestId !== undefined)
        await scene.server.call('claude_code_respond', { requestId, decision: 'allow' });

      // A rule that Claude Code does not know is refused at once; any other reaches the model as a denial.
      if (asked.isError) expect(asked.text).toMatch(/^Error \[INVALID_ARGUMENT\]/);
      else expect(told(scene, asked.json.sessionId, 'toolu_write')).toMatch(/denied|deny/);
      expect(exists(scene, 'secret.txt')).toBe(false);
    },
  );
});
