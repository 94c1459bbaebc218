import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sessionOptions } from '../../src/core/options/index.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';

async function read({ server }: InProcessScene, name: string): Promise<string> {
  const { contents } = await server.client.readResource({ uri: `claude-code://reference/${name}` });
  const [content] = contents;
  return content !== undefined && 'text' in content ? content.text : '';
}

describe.each(['modern', 'legacy'] as const)('the resources, %s era', (era) => {
  it('are listed with what they hold', async () => {
    const { server } = await startInProcess({ era });

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
  });

  it('have the whole reference of options, in the words of the docs', async () => {
    const scene = await startInProcess({ era });
    const docs = readFileSync(fileURLToPath(new URL('../../docs/tools/async.md', import.meta.url)), 'utf8');

    const text = await read(scene, 'options');

    for (const [key, { long }] of Object.entries(sessionOptions)) {
      expect(text).toContain(`| \`${key}\``);
      expect(text.replaceAll('\\|', '|')).toContain(long);
      expect(docs.replaceAll('\\|', '|')).toContain(long);
    }
    expect(text).toContain('| `prompt` (required) |');
  });

  it('have the tools of Claude Code, and from the first session on which of them it had', async () => {
    const scene = await startInProcess({ era });

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

  it('are not those that do not exist', async () => {
    const scene = await startInProcess({ era });

    await expect(read(scene, 'secrets')).rejects.toThrow(/not found/i);
  });

  it('are none inside one of its own sessions', async () => {
    const { server } = await startInProcess({ era, env: { CLAUDE_CODE_MCP_DEPTH: '1' } });

    expect((await server.client.listResources()).resources).toEqual([]);
    expect((await server.client.listTools()).tools).toEqual([]);
  });
});
