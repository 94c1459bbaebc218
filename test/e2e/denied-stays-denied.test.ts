import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { restart, shareScene, startScene, type Scene } from '../kit/fixture.js';
import { text, tool, type MessageStep, type ScriptStep } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import type { ToolReply } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';
import { exists, human, start, touch, wants, writePlan, writeUserSettings } from '../kit/approval-moves.js';

const rm = { command: 'rm keep.txt' } as const;
const wish = wishAs('toolu_rm');

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

/** The same session, in another mode: the model wants `steps`. */
async function goOn(
  scene: Scene,
  sessionId: string,
  permissionMode: string,
  ...steps: ScriptStep[]
): Promise<ToolReply> {
  await scene.server.call('claude_code_session', { action: 'configure', sessionId, permissionMode });
  wants(scene, ...steps);
  return scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });
}

function wishAs(id: string): MessageStep {
  return tool('Bash', rm, { id });
}

function allow({ server }: Scene, { json }: ToolReply, answer: object = {}): Promise<ToolReply> {
  const requestId = json.actions?.[0]?.requestId;
  return server.call('claude_code_respond', { requestId, decision: 'allow', ...answer });
}

describe('a tool that the caller forbids', () => {
  const disallowedTools = ['Bash'];
  const noSuchTool = /No such tool available: Bash|Bash .*not (available|enabled)/;

  it('does not exist in any mode, for a subagent, in a resumed session or in a fork, and is not asked', async () => {
    const before = await startWithFile({ era: 'legacy' });
    before.model.when('a part of it', [wishAs('toolu_part'), text('done')]);
    const part = { description: 'part', prompt: 'a part of it', subagent_type: 'general-purpose' };
    wants(before, wishAs('toolu_default'), tool('Agent', { ...part, run_in_background: false }));
    const first = await start(before, { disallowedTools });
    const { sessionId } = first.json;
    const bySubagent = before.model.requests().findLast(({ agentId }) => agentId !== undefined);
    const planning = await goOn(before, sessionId, 'plan', wishAs('toolu_planning'));
    const editing = await goOn(before, sessionId, 'acceptEdits', wishAs('toolu_editing'));
    const scene = await restart(before, { era: 'legacy' });
    wants(scene, wish);
    const reply = { sessionId, prompt: 'do it', waitMs: 20_000 };

    const resumed = await scene.server.call('claude_code_reply', reply);
    const forked = await scene.server.call('claude_code_reply', { ...reply, forkSession: true });

    for (const { json } of [first, planning, editing, resumed, forked]) expect(json.status).toBe('idle');
    for (const id of ['toolu_default', 'toolu_editing', 'toolu_planning', 'toolu_rm'])
      expect(told(scene, sessionId, id), id).toMatch(noSuchTool);
    expect(bySubagent && toolResultText(bySubagent, 'toolu_part')).toMatch(noSuchTool);
    expect(told(scene, forked.json.sessionId)).toMatch(noSuchTool);
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('does not exist when it is also allowed in advance', async () => {
    const scene = await startWithFile({ era: 'modern' });
    wants(scene, wish);

    const done = await start(scene, { disallowedTools, allowedTools: ['Bash'] });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(told(scene, done.json.sessionId)).toMatch(noSuchTool);
    expect(exists(scene, 'keep.txt')).toBe(true);
  });
});

describe.each(forbidding)('a command that %s forbids', (_who, forbid) => {
  const share = shareScene({ era: 'modern' });
  beforeEach(() => keepFile(share()));

  it('is denied in every mode, also behind other words, and after somebody allowed it or a plan with it', async () => {
    const scene = share();
    const commands = ['rm keep.txt', 'touch a.txt && rm keep.txt', 'A=1 rm keep.txt'];
    wants(scene, ...commands.map((command, index) => tool('Bash', { command }, { id: `toolu_${index}` })));
    const first = await start(scene, forbid(scene, 'Bash(rm *)'));
    const { sessionId } = first.json;

    const editing = await goOn(scene, sessionId, 'acceptEdits', wishAs('toolu_editing'));
    const asked = await goOn(scene, sessionId, 'plan', wishAs('toolu_planning'));
    const planned = await allow(scene, asked);
    const steps = [writePlan('# Plan\nTouch a file.'), tool('ExitPlanMode', {}), wishAs('toolu_building')];
    const reviewed = await goOn(scene, sessionId, 'plan', ...steps);
    const plan = '# Plan\nRun `rm keep.txt`.';
    const built = await allow(scene, reviewed, { plan, nextMode: 'acceptEdits' });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(reviewed.json).toMatchObject({ status: 'waiting', actions: [{ type: 'plan_review' }] });
    for (const { json } of [first, editing, planned, built])
      expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    for (const id of ['0', '1', '2', 'editing', 'planning', 'building'])
      expect(told(scene, sessionId, `toolu_${id}`), id).toContain('has been denied');
    expect(exists(scene, 'keep.txt')).toBe(true);
  });

  it('is denied although its tool and the command itself are allowed in advance', async () => {
    const scene = share();
    wants(scene, wish);

    const done = await start(scene, { ...forbid(scene, 'Bash(rm *)'), allowedTools: ['Bash', 'Bash(rm *)'] });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(told(scene, done.json.sessionId)).toContain('has been denied');
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
  it('stays denied after another was allowed for the session and with the very rule, in the next process too', async () => {
    const before = await startWithFile({ era: 'modern' });
    wants(
      before,
      tool('Bash', touch),
      wishAs('toolu_first'),
      tool('Bash', { command: 'mkdir b' }),
      wishAs('toolu_second'),
    );
    const rules = [{ toolName: 'Bash', ruleContent: 'rm *' }];
    const asked = await start(before, { disallowedTools: ['Bash(rm *)'] });
    const { sessionId } = asked.json;
    const again = await allow(before, asked, { decision: 'allow_for_session' });
    const first = await allow(before, again, { updatedPermissions: [{ type: 'addRules', rules }] });
    const scene = await restart(before, { era: 'modern' });
    wants(scene, wishAs('toolu_third'));

    const next = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });

    expect(again.json).toMatchObject({ status: 'waiting', actions: [{ input: { command: 'mkdir b' } }] });
    for (const { json } of [first, next])
      expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    for (const id of ['first', 'second', 'third'])
      expect(told(scene, sessionId, `toolu_${id}`), id).toContain('has been denied');
    expect(['a.txt', 'b', 'keep.txt'].map((name) => exists(scene, name))).toEqual([true, true, true]);
  });
});

describe('a command that an approval forbids', () => {
  it('never runs again, although the caller may run every command, in the next process too', async () => {
    const before = await startWithFile({ era: 'modern' });
    wants(before, tool('WebFetch', { url: 'https://a.example/', prompt: 'x' }), wishAs('toolu_first'));
    const asked = await start(before, { allowedTools: ['Bash'] });
    const { sessionId } = asked.json;
    const rules = [{ toolName: 'Bash', ruleContent: 'rm *' }];
    const first = await allow(before, asked, {
      updatedPermissions: [{ type: 'addRules', behavior: 'deny', rules }],
    });
    const scene = await restart(before, { era: 'modern' });
    wants(scene, tool('Bash', touch), wishAs('toolu_second'));

    const next = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });

    for (const { json } of [first, next])
      expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    for (const id of ['first', 'second'])
      expect(told(scene, sessionId, `toolu_${id}`), id).toContain('has been denied');
    expect(['a.txt', 'keep.txt'].map((name) => exists(scene, name))).toEqual([true, true]);
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
  const share = shareScene({ era: 'modern' });

  // Apart: beside a rule for commands the server lets no command be edited at all.
  it.each([
    ['commands', edits.filter(isAboutCommands)],
    ['files and pages', edits.filter((edit) => !isAboutCommands(edit))],
  ])('is not done by an edited input: %s', async (_what, tries) => {
    const scene = share();
    keepFile(scene);
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
