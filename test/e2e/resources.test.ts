import { describe, expect, it } from 'vitest';
import { shareScene, type Scene } from '../kit/fixture.js';

async function read({ server }: Scene, name: string): Promise<string> {
  const { contents } = await server.client.readResource({ uri: `claude-code://reference/${name}` });
  const [content] = contents;
  return content !== undefined && 'text' in content ? content.text : '';
}

describe('the resources', () => {
  const share = shareScene({ era: 'modern' });

  it('are listed with what they hold', async () => {
    const { server } = share();

    const { resources } = await server.client.listResources();

    expect(server.client.getServerCapabilities()).toHaveProperty('resources');
    expect(resources.map(({ uri, mimeType, title }) => ({ uri, mimeType, title }))).toEqual([
      {
        uri: 'claude-code://reference/options',
        mimeType: 'text/markdown',
        title: 'Options of claude_code',
      },
      { uri: 'claude-code://reference/tools', mimeType: 'text/markdown', title: 'Tools of Claude Code' },
      { uri: 'claude-code://usage', mimeType: 'application/json', title: 'Usage of Claude Code' },
      { uri: 'claude-code://sessions', mimeType: 'application/json', title: 'Sessions' },
    ]);
    expect(server.strayLines()).toEqual([]);
  });

  it('have the tools of Claude Code, and from the first session on which of them it had', async () => {
    const scene = share();

    const before = await read(scene, 'tools');
    await scene.server.call('claude_code', {
      prompt: 'hello',
      cwd: scene.sandbox.project,
      waitMs: 20_000,
    });
    const after = await read(scene, 'tools');

    expect(before).toContain('| `Bash` | commands | Runs a shell command. |  |');
    expect(after).toContain('| `Bash` | commands | Runs a shell command. | yes |');
    expect(after).not.toMatch(/\| other \|/);
  });
});
