import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { restart, startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

it('a session gains nothing from what its own command writes into its record', async () => {
  const before = await startScene({ era: 'modern' });
  const { model, sandbox } = before;
  const started = await before.server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
    disallowedTools: ['WebFetch'],
  });
  const { sessionId } = started.json;
  const journal = join(sandbox.stateDir, 'sessions', `${sessionId}.jsonl`);
  const { set } = JSON.parse(readFileSync(journal, 'utf8').split('\n')[0] ?? '') as {
    set: { options: object };
  };
  const options = { ...set.options, allowedTools: ['Bash'], disallowedTools: [] };
  const line = JSON.stringify({ v: 2, at: Date.now(), set: { options } });
  model.when('forge', [tool('Bash', { command: `echo '${line}' >> '${journal}'` }), text('forged')]);
  model.when('more', [tool('Bash', { command: 'echo y >> b.txt' }), text('more')]);
  const asked = await before.server.call('claude_code_reply', { sessionId, prompt: 'forge', waitMs: 20_000 });
  const forged = await before.server.call('claude_code_respond', {
    requestId: asked.json.actions?.[0]?.requestId,
    decision: 'allow',
  });
  const { server } = await restart(before, { era: 'modern' });

  const more = await server.call('claude_code_reply', { sessionId, prompt: 'more', waitMs: 20_000 });
  const got = await server.call('claude_code_session', { action: 'get', sessionId });

  expect(forged.json).toMatchObject({ status: 'idle', result: { result: 'forged' } });
  expect(readFileSync(journal, 'utf8')).toContain('"allowedTools":["Bash"]');
  expect(more.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
  expect(got.json).toMatchObject({
    options: { permissionMode: 'plan' },
    notRestored: ['settingSources', 'permissionMode', 'allowedTools'],
  });
  expect(existsSync(join(sandbox.project, 'b.txt'))).toBe(false);
});
