import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScene } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { formCapability, HUMAN_NO_MS, seatPerson } from '../../kit/person.js';
import { pairClient, runCommand } from '../../kit/page.js';
import { until } from '../../kit/until.js';

describe('a server over stdin and stdout', () => {
  it('has no page unless the operator asks for one', async () => {
    const { sandbox } = await startScene({ era: 'modern' });

    await expect(runCommand(sandbox, 'open', '--print')).rejects.toThrow('no page is running');
  });

  it('has a page on a loopback port, on which a person answers its requests', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'modern',
      args: ['--web', '127.0.0.1:0'],
      env: { CLAUDE_CODE_MCP_APPROVALS: 'human' },
    });
    model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
    const page = await until('the page runs', () => pairClient(sandbox).catch(() => undefined));
    const asked = await server.call('claude_code', { prompt: 'touch it', waitMs: 20_000 });
    const requestId = asked.json.actions?.[0]?.requestId ?? '';

    const settled = await page.call('answer', { requestId, decision: 'allow' });
    const ended = await server.call('claude_code_check', { sessionId: asked.json.sessionId, waitMs: 20_000 });

    expect(settled).toMatchObject({ requestId, decision: 'allow', by: 'page', device: 'Kit' });
    expect(ended.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  });

  it('lets no caller approve with auto once a person has denied a request on the page', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern', args: ['--web', '127.0.0.1:0'] });
    const touch = tool('Bash', { command: 'touch a.txt' });
    model.when('touch it', [touch, touch, text('Done.')]);
    const page = await until('the page runs', () => pairClient(sandbox).catch(() => undefined));
    const asked = await server.call('claude_code', { prompt: 'touch it', waitMs: 20_000 });
    const { sessionId, cursor, actions } = asked.json;

    await page.call('answer', { requestId: actions?.[0]?.requestId ?? '', decision: 'deny', message: 'No.' });
    const again = await server.call('claude_code_check', { sessionId, cursor, waitMs: 20_000 });
    const requestId = again.json.actions?.[0]?.requestId;
    const approved = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(approved.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: a person has answered in this client or on the page, .*A person can answer it at http/s,
    );
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });

  it('does not let a caller use the mode of a session that a person has started on the page', async () => {
    const { server, model, sandbox } = await startScene({
      era: 'modern',
      args: ['--web', '127.0.0.1:0'],
      capabilities: formCapability,
    });
    const file = join(sandbox.project, 'a.txt');
    model.when('write it', [tool('Write', { file_path: file, content: 'a' }), text('Done.')]);
    const page = await until('the page runs', () => pairClient(sandbox).catch(() => undefined));
    const folder = sandbox.project;
    const { sessionId } = await page.call('start', { prompt: 'hello', folder, mode: 'acceptEdits' });
    await server.call('claude_code_check', { sessionId, waitMs: 20_000 });

    const { forms } = seatPerson(server, () => ({ action: 'decline' }), HUMAN_NO_MS);
    const replied = await server.call('claude_code_reply', { sessionId, prompt: 'write it', waitMs: 20_000 });

    expect(replied.json).toMatchObject({ sessionId, notRestored: ['permissionMode'] });
    expect(forms).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
  });

  it('closes its page when it ends, and its devices end with it', async () => {
    const { server, sandbox } = await startScene({ era: 'modern', args: ['--web', '127.0.0.1:0'] });
    const page = await until('the page runs', () => pairClient(sandbox).catch(() => undefined));
    const stream = await fetch(`${page.origin}/api/stream`, { headers: page.headers });
    const messages = stream.text();

    await server.close();

    expect(await messages).toContain('data: {"type":"bye","why":"shutdown"}');
    await expect(fetch(page.origin)).rejects.toThrow();
    await expect(runCommand(sandbox, 'open', '--print')).rejects.toThrow('no page is running');
    expect(await runCommand(sandbox, 'device', 'list')).toContain('No browser is signed in');
  });

  it('works without its page if the port is taken, and says so', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;

    const { server } = await startScene({ era: 'modern', args: ['--web', `127.0.0.1:${port}`] });
    await until(
      'it says so',
      async () => server.stderr().includes('the page could not be opened') || undefined,
    );
    const listed = await server.call('claude_code_session', { action: 'list' });

    expect(listed.isError).toBe(false);
    expect(server.stderr()).toContain('EADDRINUSE');
  });
});
