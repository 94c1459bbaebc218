import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { any, start } from '../kit/approval-moves.js';
import { startBackstage } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

it.each([
  ['in mode auto', { permissionMode: 'auto' }, false],
  ['after a skill that lets it read files', { permissionMode: 'default' }, true],
])(
  'where reading is bounded, a file outside the folders needs approval %s',
  async (_when, options, usesSkill) => {
    const { model, sandbox } = await startBackstage();
    const env = { ...any, CLAUDE_CODE_MCP_ROOTS: sandbox.project };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    onTestFinished(() => server.close());
    const scene = { model, sandbox, server };
    const file_path = join(sandbox.root, 'secret.txt');
    writeFileSync(file_path, 'hidden words');
    const skill = join(sandbox.configDir, 'skills', 'look');
    mkdirSync(skill, { recursive: true });
    const head = '---\nname: look\ndescription: d\nallowed-tools: Read\n---\n';
    writeFileSync(join(skill, 'SKILL.md'), `${head}Look around.`);
    model.when('do it', [
      usesSkill ? tool('Skill', { skill: 'look' }) : tool('Read', { file_path }),
      text('over'),
    ]);
    model.when('Look around.', [tool('Read', { file_path }), text('over')]);

    let { json } = await start(scene, options);
    const [action] = json.actions ?? [];
    if (action?.toolName === 'Skill')
      ({ json } = await server.call('claude_code_respond', {
        requestId: action.requestId,
        decision: 'allow',
      }));

    expect(json).toMatchObject({
      status: 'waiting',
      actions: [
        { toolName: 'Read', input: { file_path }, reason: "This path is outside the session's folders" },
      ],
    });
    expect(JSON.stringify(model.requests().map(({ body }) => body))).not.toContain('hidden words');
  },
);
