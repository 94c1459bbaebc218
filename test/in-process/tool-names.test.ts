import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';

const wrongName =
  /^Error \[INVALID_ARGUMENT\]: disallowedTools "Bsh" is not a tool of Claude Code\. Use "Bash"\./;

async function startWith(
  { server, model, sandbox }: InProcessScene,
  options: object,
): ReturnType<InProcessScene['server']['call']> {
  model.when('run it', [tool('Bash', { command: 'rm -rf build' }), text('done')]);
  return server.call('claude_code', { prompt: 'run it', cwd: sandbox.project, waitMs: 20_000, ...options });
}

describe('names of tools in another case', () => {
  it.each([
    [
      'disallowedTools',
      { disallowedTools: ['bash', 'EDIT(src/**)'] },
      { disallowedTools: ['Bash', 'Edit(src/**)'] },
    ],
    ['allowedTools', { allowedTools: ['bash(rm *)'] }, { allowedTools: ['Bash(rm *)'] }],
    ['tools', { advanced: { tools: ['read', 'bash'] } }, { tools: ['Read', 'Bash'] }],
    [
      'agents',
      {
        advanced: {
          agents: { a: { description: 'd', prompt: 'p', tools: ['read'], disallowedTools: ['bash'] } },
        },
      },
      { agents: { a: { tools: ['Read'], disallowedTools: ['Bash'] } } },
    ],
  ])('become those of Claude Code in %s', async (_option, given, launched) => {
    const scene = await startInProcess({ era: 'modern' });

    const { isError } = await startWith(scene, given);

    expect(isError).toBe(false);
    expect(scene.world.launches.at(-1)).toMatchObject(launched);
  });
});

describe('a misspelled tool', () => {
  it('is refused at the start and in a reply, with the name that is meant', async () => {
    const scene = await startInProcess({ era: 'modern' });

    const started = await startWith(scene, { disallowedTools: ['Bsh'] });
    const { json } = await startWith(scene, { allowedTools: ['Bash'] });
    const replied = await scene.server.call('claude_code_reply', {
      sessionId: json.sessionId,
      prompt: 'run it',
      diskResumeConfig: { disallowedTools: ['Bsh(rm *)'] },
    });

    expect(started.text).toMatch(wrongName);
    expect(replied.text).toMatch(/disallowedTools "Bsh" is not a tool of Claude Code\. Use "Bash"\./);
    expect(scene.world.launches).toHaveLength(1);
  });

  it.each([
    ['Shell', 'Bash'],
    ['Reads', 'Read'],
    ['WebSerach', 'WebSearch'],
  ])('%s is understood as %s', async (name, meant) => {
    const scene = await startInProcess({ era: 'modern' });

    const { text: answer } = await startWith(scene, { disallowedTools: [name] });

    expect(answer).toContain(`disallowedTools "${name}" is not a tool of Claude Code. Use "${meant}".`);
  });

  it.each(['mcp__github__merge', 'mcp__*', 'Test', 'PowerShell', 'TaskOutput', 'Agent'])(
    'is not suspected in %s',
    async (name) => {
      const scene = await startInProcess({ era: 'modern' });

      const { isError } = await startWith(scene, { disallowedTools: [name], allowedTools: ['Bash'] });

      expect(isError).toBe(false);
      expect(scene.world.launches.at(-1)).toMatchObject({ disallowedTools: [name] });
    },
  );
});

it.each(['all', 'Any', 'none'])('"%s" in place of a list of tools is refused', async (name) => {
  const scene = await startInProcess({ era: 'modern' });

  const { text: refusal } = await startWith(scene, { allowedTools: [name] });

  expect(refusal).toMatch(/allowedTools "\w+" is not a tool of Claude Code\. Name each tool/);
  expect(scene.world.launches).toEqual([]);
});
