import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { start, wants, writeTrustedSettings } from '../kit/approval-moves.js';
import { startBackstage } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

/** Stand-ins for the programs of the sandbox, because few machines have them. Nothing runs in it. */
function writeSandboxPrograms(folder: string, log: string): void {
  mkdirSync(folder);
  const write = (name: string, code: string): void =>
    writeFileSync(join(folder, name), `#!${process.execPath}\n${code}\n`, { mode: 0o755 });
  write(
    'bwrap',
    `const args = process.argv.slice(2);
    if (args[0] === '--version') console.log('bubblewrap 0.11.0');
    else require('node:fs').appendFileSync(${JSON.stringify(log)}, args.join(' '));`,
  );
  // Claude Code waits for the socket, and ends the program with itself.
  write(
    'socat',
    `require('node:net').createServer().listen(process.argv[2].slice('UNIX-LISTEN:'.length).split(',')[0]);`,
  );
}

it.skipIf(process.platform !== 'linux').each([
  ['by Claude Code', true],
  ['by the operator', false],
])('a rule of a project that is trusted %s opens no folder in the sandbox', async (_by, isTrustedByUser) => {
  const { model, sandbox } = await startBackstage();
  const { project, root } = sandbox;
  const [programs, log, outside] = ['programs', 'bwrap.log', 'outside'].map((name) => join(root, name));
  writeSandboxPrograms(programs ?? '', log ?? '');
  mkdirSync(outside ?? '');
  const env = {
    CLAUDE_CODE_MCP_SANDBOX: 'on',
    PATH: [programs, process.env['PATH']].join(delimiter),
    ...(isTrustedByUser ? {} : { CLAUDE_CODE_MCP_TRUSTED_ROOTS: project }),
  };
  const server = await connectServer({ era: 'modern', model, sandbox, env });
  onTestFinished(() => server.close());
  const scene = { model, sandbox, server };
  const settings = { permissions: { allow: ['Bash(touch *)', `Edit(/${outside}/**)`] } };
  if (isTrustedByUser) writeTrustedSettings(scene, settings);
  else {
    mkdirSync(join(project, '.claude'));
    writeFileSync(join(project, '.claude', 'settings.json'), JSON.stringify(settings));
  }
  wants(scene, tool('Bash', { command: 'touch a.txt' }));

  const { json } = await start(scene);

  const folders = readFileSync(log ?? '', 'utf8');
  expect(json.status).toBe('idle');
  expect(existsSync(join(project, 'a.txt'))).toBe(false);
  expect(folders).toContain(`--bind ${project} ${project}`);
  expect(folders).not.toContain(outside);
});
