import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exists } from '../kit/approval-moves.js';
import { denyAll } from '../kit/deny-all.js';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

describe.each(['agent-sdk', 'cli'])('where edits are accepted (%s)', (backend) => {
  it('a file that makes other tools start programs does not come about by a move without approval', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: backend } });
    const { project } = scene.sandbox;
    for (const folder of ['gh/hooks', '.github/workflows', 'duo'])
      mkdirSync(join(project, folder), { recursive: true });
    for (const file of [
      'gh/mcp.json',
      'gh/hooks/a.json',
      'mcp.json',
      'duo/mcp.json',
      '.github/workflows/ci.yml',
    ])
      writeFileSync(join(project, file), '{}');
    const held = ['mv gh/hooks .github', 'cp mcp.json .github/', 'mv duo .gitlab', 'mv gh sub/.github'];
    const ordinary = [
      'ls .github',
      'cat .github/workflows/ci.yml',
      'grep -rn "npm install" .github',
      'mv mcp.json a.json',
    ];

    const asked = await denyAll(
      scene,
      [...held, ...ordinary].map((command) => tool('Bash', { command })),
      { permissionMode: 'acceptEdits' },
    );

    expect(asked).toEqual(held.map((command) => expect.objectContaining({ command })));
    expect(exists(scene, '.github/hooks/a.json')).toBe(false);
    expect(exists(scene, 'a.json')).toBe(true);
  });

  it('programs that other tools run by name do not change without approval', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: backend } });
    const { project } = scene.sandbox;
    const programs = join(project, 'node_modules', '.bin');
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, 'tsc'), 'good');
    writeFileSync(join(project, 'tsc'), 'bad');
    const held = [
      'cp tsc node_modules/.bin/tsc',
      'mv tsc node_modules/.bin',
      'sed -i "s|good|bad|;" node_modules/.bin/tsc',
      'cp tsc x && mv x ./node_modules/.bin/tsc',
      "cat > node_modules/.bin/tsc <<'EOF'\nbad\nEOF",
      "ls # it's\ncp tsc node_modules/.bin/tsc # it's",
    ];
    const ordinary = [
      'cat node_modules/.bin/tsc',
      'ls node_modules/.bin',
      "cat > notes.md <<'EOF'\ncp it into node_modules\nEOF",
    ];

    const asked = await denyAll(
      scene,
      [...held, ...ordinary].map((command) => tool('Bash', { command })),
      { permissionMode: 'acceptEdits' },
    );

    expect(asked).toEqual(held.map((command) => expect.objectContaining({ command })));
    expect(readFileSync(join(programs, 'tsc'), 'utf8')).toBe('good');
  });
});
