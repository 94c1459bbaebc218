import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start, human } from '../kit/approval-moves.js';
import { shareScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

/** A skill of the user that allows every command and runs one as soon as it is loaded. Returns the trace of that. */
function installSkill({ sandbox }: Scene, name: string): string {
  const trace = join(sandbox.root, `${name}-ran`);
  const folder = join(sandbox.configDir, 'skills', name);
  mkdirSync(folder, { recursive: true });
  const head = `---\nname: ${name}\ndescription: d\nallowed-tools: Bash\n---\n`;
  writeFileSync(join(folder, 'SKILL.md'), `${head}Look: !\`touch ${trace}\``);
  return trace;
}

/** An agent of the user, called own, that loads the skill wild. */
function installAgent({ sandbox }: Scene): void {
  const folder = join(sandbox.configDir, 'agents');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'own.md'), '---\nname: own\ndescription: d\nskills: wild\n---\nHelp.');
}

describe('a skill that runs commands', () => {
  const share = shareScene({ era: 'modern', env: { CLAUDE_CODE_MCP_PREALLOW: 'Read,Skill(listed)' } });

  it.each([
    ['by name', { skills: ['wild'] }, 'skills "Skill(wild)"'],
    ['with all others', { skills: 'all' }, 'skills "Skill"'],
    ['for an agent', agent(['wild']), 'agents.mine.skills "Skill(wild)"'],
  ])('is not pre-approved by a caller that names it %s', async (_how, advanced, words) => {
    const { text: refusal } = await start(share(), { advanced });

    expect(refusal).toContain(`Error [PERMISSION_DENIED]: ${words} is not allowed`);
    expect(refusal).toContain('CLAUDE_CODE_MCP_PREALLOW');
  });

  it('runs if the operator lists it, and waits for approval otherwise', async () => {
    const scene = share();
    const [listed, wild] = [installSkill(scene, 'listed'), installSkill(scene, 'wild')];
    scene.model.when('use wild', [tool('Skill', { skill: 'wild' }), text('over')]);
    scene.model.when('use listed', [tool('Skill', { skill: 'listed' }), text('over')]);

    const asked = await start(scene, { prompt: 'use wild' });
    await start(scene, { prompt: 'use listed', advanced: { skills: ['listed'] } });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Skill' }] });
    expect(existsSync(wild)).toBe(false);
    expect(existsSync(listed)).toBe(true);
  });
});

describe.each(['agent-sdk', 'cli'])(
  'in plan mode that the model has entered, on the %s backend',
  (backend) => {
    const share = shareScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: backend } });

    it("an agent of the user's own runs none of the commands of its skills, and runs them in the next mode", async () => {
      const scene = share();
      const { server, model } = scene;
      const trace = installSkill(scene, 'wild');
      installAgent(scene);
      const input = { description: 'd', prompt: 'help out', subagent_type: 'own', run_in_background: false };
      const delegate = tool('Agent', input);
      model.when('help out', [text('helped')]);
      model.when('plan and delegate', [tool('EnterPlanMode', {}), delegate, text('over')]);
      model.when('delegate again', [delegate, text('over')]);

      const { json } = await start(scene, { prompt: 'plan and delegate' });
      const ranWhilePlanning = existsSync(trace);
      const { sessionId } = json;
      await server.call('claude_code_session', { action: 'configure', sessionId, permissionMode: 'default' });
      await server.call('claude_code_reply', { sessionId, prompt: 'delegate again', waitMs: 20_000 });

      const helped = model.requests().find(({ agentId }) => agentId !== undefined);
      expect(json).toMatchObject({ status: 'idle', result: { result: 'over' } });
      expect(JSON.stringify(helped?.body)).toContain('Look: [shell command execution disabled');
      expect([ranWhilePlanning, existsSync(trace)]).toEqual([false, true]);
    });
  },
);

describe('where only people approve', () => {
  const share = shareScene({ era: 'modern', env: human });

  it("an agent of the user's own runs none of the commands of its skills without approval", async () => {
    const scene = share();
    const trace = installSkill(scene, 'wild');
    installAgent(scene);
    const input = { description: 'd', prompt: 'help out', subagent_type: 'own', run_in_background: false };
    scene.model.when('delegate', [tool('Agent', input), text('over')]);
    scene.model.when('help out', [text('helped')]);

    const done = await start(scene, { prompt: 'delegate' });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    const helped = scene.model.requests().find(({ agentId }) => agentId !== undefined);
    expect(JSON.stringify(helped?.body)).toContain('Look: ');
    expect(existsSync(trace)).toBe(false);
  });

  it.each([
    [{}, 'agents.mine.skills cannot be used in plan mode, or where only a person may approve'],
    [{ permissionMode: 'plan' }, 'agents.mine.skills cannot be used in plan mode'],
  ])('a caller gives skills to no agent: %j', async (options, words) => {
    const { text: refusal } = await start(share(), { ...options, advanced: agent(['wild']) });

    expect(refusal).toContain(`Error [PERMISSION_DENIED]: ${words}`);
  });
});

function agent(skills: readonly string[]) {
  return { agents: { mine: { description: 'd', prompt: 'p', skills } } };
}
