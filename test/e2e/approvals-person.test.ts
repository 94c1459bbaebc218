import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restart, startScene, type Scene } from '../kit/fixture.js';
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

const bash = (): ScriptStep => tool('Bash', touch);
const write = ({ sandbox }: Scene): ScriptStep =>
  tool('Write', { file_path: join(sandbox.project, 'a.txt'), content: 'a' });

interface Road {
  readonly name: string;
  readonly prepare: (scene: Scene) => void;
  readonly step: (scene: Scene) => ScriptStep;
}

/** Ways in which a tool runs unasked that do not pass by whoever approves. */
const roadsRound: Road[] = [
  {
    name: 'an allow rule of the user',
    prepare: (scene) => writeUserSettings(scene, { permissions: { allow: ['Bash(touch *)'] } }),
    step: bash,
  },
  {
    name: 'the mode of the user',
    prepare: (scene) => writeUserSettings(scene, { permissions: { defaultMode: 'acceptEdits' } }),
    step: write,
  },
  {
    name: 'a hook of a trusted repository',
    prepare: (scene) =>
      writeTrustedSettings(scene, hookSettings('PreToolUse', { permissionDecision: 'allow' })),
    step: bash,
  },
  {
    name: 'an allow rule of a trusted repository',
    prepare: (scene) => writeTrustedSettings(scene, { permissions: { allow: ['Write'] } }),
    step: write,
  },
  {
    name: 'a rule of the user, for a subagent',
    prepare: (scene) => {
      writeUserSettings(scene, { permissions: { allow: ['Bash(touch *)'] } });
      scene.model.when('a part of it', [tool('Bash', touch), text('done')]);
    },
    step: () =>
      tool('Agent', {
        description: 'part',
        prompt: 'a part of it',
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
  },
  {
    name: 'a hook of the user that answers permission requests',
    prepare: (scene) =>
      writeUserSettings(scene, hookSettings('PermissionRequest', { decision: { behavior: 'allow' } })),
    step: bash,
  },
];

describe.each(roadsRound)('$name', ({ prepare, step }) => {
  it('lets nothing be written where only people approve, until a person has', async () => {
    const scene = await startScene({ era: 'modern', env: human, capabilities: formCapability });
    prepare(scene);
    wants(scene, step(scene));
    const writtenBefore: boolean[] = [];
    const person = seatPerson(scene.server, () => {
      writtenBefore.push(exists(scene, 'a.txt'));
      return accept({ decision: 'allow' });
    });

    const done = await start(scene);

    expect(person.forms).toHaveLength(1);
    expect(writtenBefore).toEqual([false]);
    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
  });

  it('lets it be written unasked where callers approve', async () => {
    const scene = await startScene({ era: 'legacy', env: any });
    prepare(scene);
    wants(scene, step(scene));

    const { sessionId } = (await start(scene, { waitMs: 0 })).json;
    await until('it is written', () => exists(scene, 'a.txt'));
    const done = await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
  });
});

describe('where only people approve, a person', () => {
  const era = 'legacy';

  it('allows a call for the session: it passes next time, also in the next server, and no other does', async () => {
    const before = await startScene({ era, env: human, capabilities: formCapability });
    wants(before, tool('Bash', { command: 'echo x >> a.txt' }));
    const person = seatPerson(before.server, () => accept({ decision: 'allow_for_session' }));
    const { sessionId } = (await start(before)).json;
    const again = await before.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });
    const scene = await restart(before, { era, env: human });
    const next = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });
    wants(scene, tool('Bash', { command: 'echo y >> a.txt' }));

    const other = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(person.forms).toHaveLength(1);
    expect(again.json).toMatchObject({ status: 'idle', result: { result: 'over', turn: 2 } });
    expect(next.json).toMatchObject({ status: 'idle', result: { result: 'over', turn: 3 } });
    expect(other.json).toMatchObject({ status: 'waiting', actions: [{ accepts: ['deny'] }] });
  });
});

describe('a hook that answers permission requests', () => {
  const settings = hookSettings('PermissionRequest', { decision: { behavior: 'allow' } });

  it.each(['human', 'auto'])('lets nothing be written in plan mode, approvals %s', async (approvals) => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_APPROVALS: approvals } });
    writeUserSettings(scene, settings);
    wants(scene, bash());

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

  it('is not reported as a denial where it may let a tool run', async () => {
    const scene = await startScene({ era: 'modern', env: any });
    writeUserSettings(scene, settings);
    wants(scene, bash());

    const { sessionId } = (await start(scene)).json;
    await until('it is written', () => exists(scene, 'a.txt'));
    await scene.server.call('claude_code_check', { sessionId, waitMs: 20_000 });
    const done = await scene.server.call('claude_code_check', {
      sessionId,
      cursor: 0,
      include: ['events'],
      waitMs: 0,
    });

    expect(done.json.events).toContainEqual(expect.objectContaining({ type: 'input_request' }));
    expect(done.json.events).not.toContainEqual(
      expect.objectContaining({ type: 'input_resolved', decision: 'deny' }),
    );
  });
});
