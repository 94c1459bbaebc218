import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

it.each(['agent-sdk', 'cli'])('nothing runs unapproved after the server was killed: %s', async (backend) => {
  const { server, model, sandbox } = await startScene({
    era: 'modern',
    env: { CLAUDE_CODE_MCP_APPROVALS: 'human', CLAUDE_CODE_MCP_BACKEND: backend },
  });
  // Claude Code itself would run the command.
  writeFileSync(
    join(sandbox.configDir, 'settings.json'),
    JSON.stringify({ permissions: { allow: ['Bash'] } }),
  );
  const killed = createGate();
  model.when('touch', [gate(killed, tool('Bash', { command: 'touch a.txt' })), text('over')]);

  await server.call('claude_code', { prompt: 'touch', cwd: sandbox.project });
  await until('the model is asked', () => model.requests().length === 1);
  server.kill('SIGKILL');
  await server.exited;
  killed.open();
  await until('Claude Code tells the model what became of the call', () => model.requests().length === 2);
  await until('Claude Code ends with its turn', () => sandbox.processes().length === 0);

  expect(JSON.stringify(model.requests()[1]?.body)).toContain('touch a.txt');
  expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
});
