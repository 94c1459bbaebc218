import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { trustedKeys } from '../../../src/console/trust/trust-record.js';
import { resolveClaudeHome } from '../../../src/history/claude-home.js';
import { startScene } from '../../kit/fixture.js';
import { createGate } from '../../kit/gate.js';
import { gate, text } from '../../kit/model-steps.js';
import { hasTerminal, script } from '../../kit/terminal-session.js';

const entry = fileURLToPath(new URL('../../../dist/claude-code-mcp.js', import.meta.url));

function run(args: readonly string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [entry, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

it.skipIf(!hasTerminal)('a person follows a session, trusts its folder and takes it over', async () => {
  const { server, model, sandbox } = await startScene({ era: 'modern' });
  const env = sandbox.env(model);
  const held = createGate();
  model.when('count the herons', [gate(held, text('Seven herons.'))]);
  writeFileSync(join(sandbox.project, 'CLAUDE.md'), 'Herons are birds.');
  const started = await server.call('claude_code', { prompt: 'count the herons', cwd: sandbox.project });
  const id = started.json.sessionId.slice(0, 8);
  await held.reached;

  const listed = await run(['sessions', '--json'], env);
  const refused = await run(['resume', id], env);
  const watching = run(['watch', id], env);
  held.open();
  const watched = await watching;
  const trusted = await run(['trust', sandbox.project, '--yes'], env);
  const inSession = await run(['untrust', sandbox.project], { ...env, CLAUDE_CODE_MCP_DEPTH: '1' });
  const terminal = spawn(script, ['-qfec', `${process.execPath} ${entry} resume ${id}`, '/dev/null'], {
    env: { ...env, CLAUDE_CODE_PATH: '/bin/echo' },
  });
  let screen = '';
  terminal.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  const [code] = await once(terminal, 'close');

  expect(JSON.parse(listed.stdout)).toMatchObject({
    sessions: [{ sessionId: started.json.sessionId, status: 'running', pid: server.pid }],
  });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`in the server with process id ${server.pid}`),
  ]);
  expect([watched.code, watched.stdout]).toEqual([
    0,
    expect.stringMatching(/Seven herons\.\n.*Turn completed\nidle {2}<?\$.*show [0-9a-f]{8}\n$/),
  ]);
  expect([trusted.code, trusted.stderr]).toEqual([0, expect.stringContaining('CLAUDE.md')]);
  expect(started.json['projectSettings']).toContain(`(the user can run \`node ${entry} trust .\` there`);
  const { stateFile } = resolveClaudeHome({ home: sandbox.home, configDir: sandbox.configDir });
  expect(trustedKeys(readFileSync(stateFile, 'utf8'))).toEqual([sandbox.project]);
  expect([inSession.code, inSession.stderr]).toEqual([2, expect.stringContaining('inside a session')]);
  expect([code, screen.trim()]).toEqual([0, `--resume ${started.json.sessionId}`]);
});
