import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { until } from '../kit/until.js';
import {
  any,
  exists,
  hookSettings,
  human,
  start,
  touch,
  wants,
  writeTrustedSettings,
  writeUserSettings,
} from '../kit/approval-moves.js';

interface Road {
  readonly name: string;
  readonly prepare: (scene: Scene) => void;
  /** One call for each way. */
  readonly steps: (scene: Scene) => readonly ScriptStep[];
  /** What these calls write. */
  readonly files: readonly string[];
}

const write = ({ sandbox }: Scene, name: string): ScriptStep =>
  tool('Write', { file_path: join(sandbox.project, name), content: 'a' });

/** A command that no mode of Claude Code lets pass. */
const truncate = (name: string): ScriptStep => tool('Bash', { command: `truncate -s 0 ${name}` });

const allowingBash = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
} as const;

/** Ways to run a tool that bypass the approver. */
const roadsRound: Road[] = [
  {
    name: 'a rule of the user, the same for a subagent, and the mode of the user',
    prepare: (scene) => {
      writeUserSettings(scene, {
        permissions: { allow: ['Bash(truncate *)'], defaultMode: 'acceptEdits' },
      });
      scene.model.when('a part of it', [truncate('b.txt'), text('done')]);
    },
    steps: (scene) => [
      truncate('a.txt'),
      tool('Agent', {
        description: 'part',
        prompt: 'a part of it',
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
      write(scene, 'c.txt'),
    ],
    files: ['a.txt', 'b.txt', 'c.txt'],
  },
  {
    name: 'a hook and a rule of a trusted repository',
    prepare: (scene) => {
      const hook = { type: 'command', command: `echo '${JSON.stringify(allowingBash)}'` };
      writeTrustedSettings(scene, {
        permissions: { allow: ['Write'] },
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] },
      });
    },
    steps: (scene) => [tool('Bash', touch), write(scene, 'b.txt')],
    files: ['a.txt', 'b.txt'],
  },
  {
    name: 'a hook of the user that answers permission requests',
    prepare: (scene) => writeUserSettings(scene, allowingHook),
    steps: () => [tool('Bash', touch)],
    files: ['a.txt'],
  },
];

const allowingHook = hookSettings('PermissionRequest', { decision: { behavior: 'allow' } });

describe.each(roadsRound)('$name', ({ prepare, steps, files }) => {
  it('lets nothing be written where only people approve, until a person has', async () => {
    const scene = await startScene({ era: 'modern', env: human, capabilities: formCapability });
    prepare(scene);
    wants(scene, ...steps(scene));
    const writtenBefore: number[] = [];
    const person = seatPerson(scene.server, () => {
      writtenBefore.push(files.filter((name) => exists(scene, name)).length);
      return accept({ decision: 'allow' });
    });

    const done = await start(scene);

    expect(person.forms.map(({ message }) => files.filter((name) => message.includes(name)))).toEqual(
      files.map((name) => [name]),
    );
    expect(writtenBefore).toEqual(files.map((_name, index) => index));
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(files.every((name) => exists(scene, name))).toBe(true);
  });

  it('lets it be written without approval where callers approve, and is not reported as a denial', async () => {
    const scene = await startScene({ era: 'legacy', env: any });
    prepare(scene);
    wants(scene, ...steps(scene));

    const { sessionId } = (await start(scene, { waitMs: 0 })).json;
    await until('it is written', () => files.every((name) => exists(scene, name)));
    const done = await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    const told = await scene.server.call('claude_code_check', {
      sessionId,
      cursor: 0,
      include: ['events'],
      waitMs: 0,
    });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(told.json.events).not.toContainEqual(
      expect.objectContaining({ type: 'input_resolved', decision: 'deny' }),
    );
  });
});

describe('a hook that answers permission requests', () => {
  it('lets nothing be written in plan mode', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_APPROVALS: 'auto' } });
    writeUserSettings(scene, allowingHook);
    wants(scene, tool('Bash', touch));

    const asked = await start(scene, { permissionMode: 'plan' });
    // The hook needs a moment: if it can answer, the request is withdrawn in this time.
    const later = await scene.server.call('claude_code_check', {
      sessionId: asked.json.sessionId,
      cursor: asked.json.cursor,
      waitMs: 2_000,
    });

    expect(later.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(exists(scene, 'a.txt')).toBe(false);
  });
});
