import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import { formCapability } from '../kit/person.js';

describe('what the operator lists in CLAUDE_CODE_ALLOWED_TOOLS, in any case', () => {
  it('runs without approval where the caller names nothing, and is all that a caller may name', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'modern',
      capabilities: formCapability,
      env: { CLAUDE_CODE_ALLOWED_TOOLS: 'bash' },
    });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);

    const done = await server.call('claude_code', { prompt: 'touch', waitMs: 20_000 });
    const more = await server.call('claude_code', { prompt: 'touch', allowedTools: ['Edit'] });

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(more.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: allowedTools "Edit" is not allowed: it would run without approval, and CLAUDE_CODE_ALLOWED_TOOLS does not list it\. .*add it to CLAUDE_CODE_ALLOWED_TOOLS/,
    );
    expect(server.stderr()).toContain('a call was refused');
  });
});

describe('the state folder', () => {
  it.each([
    [
      'a link',
      (path: string) => {
        rmSync(path, { recursive: true });
        symlinkSync(dirname(path), path);
      },
      'is a symbolic link',
    ],
    ['writable by others', (path: string) => chmodSync(path, 0o777), 'is writable by other users'],
  ])('that is %s stops every session, and the error says what to do', async (_what, spoil, words) => {
    const { server, model, sandbox } = await startScene({ era: 'legacy' });
    spoil(sandbox.stateDir);

    const started = await server.call('claude_code', { prompt: 'hello' });

    expect(started.text).toMatch(/^Error \[UNAVAILABLE\]: the state folder .*CLAUDE_CODE_MCP_STATE_DIR/);
    expect(started.text).toContain(words);
    expect(model.requests()).toEqual([]);
  });
});
