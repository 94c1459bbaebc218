import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAppHost } from '../../kit/app-host.js';
import { useBrowser } from '../../kit/browser.js';
import { startScene } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';

const browser = useBrowser();
const waitMs = 20_000;

describe('the view inside a client with MCP Apps', () => {
  it('shows a request whole, and its answer is that of the caller', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'legacy',
      env: { CLAUDE_CODE_MCP_TOOLSETS: 'async,view' },
    });
    const command = `touch a.txt # <b>${'x'.repeat(9_000)}</b>`;
    model.when('touch it', [tool('Bash', { command }), text('All **done**.')]);
    const asked = await server.call('claude_code', { prompt: 'touch it', cwd: sandbox.project, waitMs });

    const { view } = await openAppHost(browser(), server.client, { sessionId: asked.json.sessionId });
    await view.getByRole('button', { name: /Show all/ }).click();
    const shown = await view.locator('.card pre').first().innerText();
    await view.getByRole('button', { name: 'Allow once' }).click();
    await view.getByText('All done.').waitFor();

    const { json } = await server.call('claude_code_session', {
      action: 'get',
      sessionId: asked.json.sessionId,
    });
    expect(shown.replaceAll(/\s/g, '')).toContain(command.replaceAll(/\s/g, ''));
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
    expect(json).toMatchObject({ status: 'idle' });
  });

  it('can deny but not approve where only people may approve, and leads to the page', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'legacy',
      env: {
        CLAUDE_CODE_MCP_TOOLSETS: 'async,view',
        CLAUDE_CODE_MCP_APPROVALS: 'human',
        CLAUDE_CODE_MCP_WEB: '127.0.0.1:0',
      },
    });
    model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const asked = await server.call('claude_code', { prompt: 'touch it', cwd: sandbox.project, waitMs });
    const requestId = asked.json.actions?.[0]?.requestId;

    const { view, opened } = await openAppHost(browser(), server.client, {});
    await view.getByRole('button', { name: 'Open the page' }).click();
    const allowButtons = await view.getByRole('button', { name: /Allow/ }).count();
    const forged = await server.call('claude_code_view', { answer: { requestId, decision: 'allow' } });
    await view.getByRole('button', { name: 'Deny', exact: true }).click();
    await view.getByText('Idle').first().waitFor();

    expect(opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#request=/)]);
    expect(allowButtons).toBe(0);
    expect(forged).toMatchObject({ isError: true, text: expect.stringContaining('PERMISSION_DENIED') });
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });
});
