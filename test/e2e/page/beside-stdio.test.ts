import { existsSync, readFileSync } from 'node:fs';
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

  it.each(['modern', 'legacy'] as const)(
    'leads a client that opens pages to its page, where a person answers, %s era',
    async (era) => {
      const { server, model, sandbox } = await startScene({
        era,
        args: ['--web', '127.0.0.1:0'],
        env: { CLAUDE_CODE_MCP_APPROVALS: 'human' },
        capabilities: { elicitation: { url: {} } },
      });
      model.when('log it', [tool('Bash', { command: 'echo once >> log.txt' }), text('Done.')]);
      const opened: string[] = [];
      server.client.setRequestHandler('elicitation/create', async ({ params }) => {
        if (params.mode === 'url') opened.push(params.url);
        return { action: 'accept' };
      });
      const page = await until('the page runs', () => pairClient(sandbox).catch(() => undefined));

      const call = server.call('claude_code', { prompt: 'log it', waitMs: 40_000 });
      const link = await until('the client opens the page', () => opened[0]);
      const requestId = link.split('=').at(-1) ?? '';
      const settled = await page.call('answer', { requestId, decision: 'allow' });
      const ended = await call;

      // The link names the request and nothing else, so it signs no browser in.
      expect(opened).toEqual([`${page.origin}/#request=${requestId}`]);
      expect(settled).toMatchObject({ requestId, decision: 'allow', by: 'page', device: 'Kit' });
      expect(ended.json).toMatchObject({
        status: 'idle',
        answered: [{ requestId, answeredBy: 'page' }],
        result: { result: 'Done.' },
      });
      expect(readFileSync(join(sandbox.project, 'log.txt'), 'utf8')).toBe('once\n');
    },
  );

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
