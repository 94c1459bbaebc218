import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { commandOf, markedOnMacos, processesWithVariable } from './live-processes.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

it('reads the processes of a sandbox from what ps of macOS prints', () => {
  const plain = [
    '    1     0 /sbin/launchd',
    '  500     1 node dist/claude-code-mcp.js',
    '  501   500 /opt/Claude Code/claude --output-format stream-json HOME=/other',
    "  502   501 /bin/zsh -c eval 'tail -f /dev/null'",
    '  503   502 tail -f /dev/null',
    '  504   500 node dist/watchdog.js',
    '  505   501 <defunct>',
    '  506   501 (rg)',
    '  600     1 node other.js',
    '  601   501 node without-it.js',
    '',
  ].join('\n');
  const environments: Readonly<Record<string, string>> = {
    '500': 'PATH=/bin HOME=/s/home LANG=C',
    '501': 'HOME=/s/home',
    '600': 'HOME=/s/home/elsewhere',
    '601': 'PATH=/bin',
  };
  const withEnvironment = plain.replaceAll(/^ *(\d+) .*$/gm, (line, pid: string) =>
    [line, environments[pid]].filter(Boolean).join(' '),
  );

  expect(markedOnMacos(plain, withEnvironment, 'HOME=/s/home')).toEqual([
    { pid: 500, command: 'node dist/claude-code-mcp.js' },
    { pid: 501, command: '/opt/Claude Code/claude --output-format stream-json HOME=/other' },
    { pid: 502, command: "/bin/zsh -c eval 'tail -f /dev/null'" },
    { pid: 503, command: 'tail -f /dev/null' },
  ]);
  expect(markedOnMacos(plain, withEnvironment, 'HOME=/other')).toEqual([]);
});

it.skipIf(process.platform === 'win32')(
  'finds a real process by its environment, until it exits',
  async () => {
    const home = temporaryFolder();
    const script = 'setInterval(() => {}, 1000); console.log(1)';
    const child = spawn(process.execPath, ['-e', script], { env: { HOME: home }, stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));

    const command = `${process.execPath} -e ${script}`;
    expect(processesWithVariable('HOME', home)).toEqual([{ pid: child.pid, command }]);
    expect(commandOf(child.pid ?? 0)).toBe(command);
    child.kill('SIGKILL');
    await until('it is gone', () => processesWithVariable('HOME', home).length === 0);
  },
);
