import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { createSandbox, type Sandbox } from '../kit/sandbox.js';
import { hasTerminal, script } from '../kit/terminal-session.js';
import { until } from '../kit/until.js';

const secret = 'hunter2hunter2hunter2';
const isWindows = process.platform === 'win32';

interface Report {
  readonly settings: Record<string, { value: unknown; source: string; name?: string }>;
  readonly warnings: readonly string[];
}

function place(): Sandbox {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  return sandbox;
}

function writeConfig(sandbox: Sandbox, content: object | string, mode = 0o600): string {
  const path = join(sandbox.root, 'config.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

function run(sandbox: Sandbox, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/claude-code-mcp.js', ...args], {
    env: { ...sandbox.env(), ...env },
    encoding: 'utf8',
    input: '',
  });
  return { status, stdout, stderr };
}

describe('claude-code-mcp config', () => {
  it('shows defaults below the file, the file below the environment, and that below flags', () => {
    const sandbox = place();
    const path = writeConfig(sandbox, { maxSessions: 2, maxWaitMs: 2, maxDepth: 2 });
    const env = { CLAUDE_CODE_MCP_MAX_SESSIONS: '3', CLAUDE_CODE_MCP_MAX_WAIT_MS: '3' };

    const { status, stdout, stderr } = run(
      sandbox,
      ['config', '--json', '--config', path, '--max-sessions', '4'],
      env,
    );

    const { settings, warnings } = JSON.parse(stdout) as Report;
    expect({ status, stderr, warnings }).toEqual({ status: 0, stderr: '', warnings: [] });
    expect(settings).toMatchObject({
      maxSessions: { value: 4, source: 'flag', name: '--max-sessions' },
      maxWaitMs: { value: 3, source: 'environment', name: 'CLAUDE_CODE_MCP_MAX_WAIT_MS' },
      maxDepth: { value: 2, source: 'file', name: path },
      maxTurns: { value: 0, source: 'default' },
    });
  });

  it('is for people too, with what looks like a slip', () => {
    const sandbox = place();

    const { status, stdout } = run(sandbox, ['config'], {
      CLAUDE_CODE_MCP_MAX_SESSIONS: '4',
      CLAUDE_CODE_MCP_ROOT: '/a',
    });

    expect(status).toBe(0);
    expect(stdout).toMatch(/^maxSessions +4 +environment CLAUDE_CODE_MCP_MAX_SESSIONS$/m);
    expect(stdout).toContain(
      '\nWarning: CLAUDE_CODE_MCP_ROOT is not a setting: did you mean CLAUDE_CODE_MCP_ROOTS?\n',
    );
  });

  it.each(['--config', '--resume-secret', 'variable'])('prints no secret, given by %s', (way) => {
    const sandbox = place();
    const path = writeConfig(sandbox, way === '--config' ? { resumeSecret: secret } : {});
    const args = ['--config', path, ...(way === '--resume-secret' ? [way, secret] : [])];
    const env: Record<string, string> = way === 'variable' ? { CLAUDE_CODE_MCP_RESUME_SECRET: secret } : {};

    const printed = [
      run(sandbox, ['config', ...args], env),
      run(sandbox, ['config', '--json', ...args], env),
    ];

    for (const { status, stdout, stderr } of printed) {
      expect(status).toBe(0);
      expect(stdout).toContain('[redacted]');
      expect(stdout + stderr).not.toContain('hunter2');
    }
  });

  it('loads nothing of the session layer', () => {
    const sandbox = place();
    const coverage = join(sandbox.root, 'coverage');
    mkdirSync(coverage);

    const { status } = run(sandbox, ['config'], { NODE_V8_COVERAGE: coverage });

    const loaded = readdirSync(coverage)
      .map((name) => readFileSync(join(coverage, name), 'utf8'))
      .join('\n');
    expect(status).toBe(0);
    expect(loaded).toContain('dist/claude-code-mcp.js');
    expect(loaded).toMatch(/dist\/chunks\/config-/);
    expect(loaded).not.toMatch(/compose-sessions|claude-agent-sdk/);
    // The code that every start needs, and the code of sessions.
    expect(largestChunks(2).map((name) => loaded.includes(name))).toEqual([true, false]);
  });
});

function largestChunks(count: number): string[] {
  const sizes = readdirSync('dist/chunks').map((name) => ({
    name,
    size: statSync(join('dist/chunks', name)).size,
  }));
  return sizes
    .toSorted((a, b) => b.size - a.size)
    .slice(0, count)
    .map(({ name }) => name);
}

describe('the start is refused with exit code 2 and one line', () => {
  it.each<[string, object | string, string]>([
    ['not JSON', `{ "resumeSecret": ${secret} }`, 'is not valid JSON'],
    ['no object', '[]', 'must be a JSON object'],
    ['an unknown key', { maxSession: 4 }, '"maxSession" is not a setting: did you mean maxSessions?'],
    ['a key of the prototype', '{ "__proto__": { "maxSessions": 4 } }', '"__proto__" is not a setting.'],
    [
      'a value of another type',
      { maxSessions: '4' },
      'maxSessions="4": must be a whole number from 1 to 200',
    ],
    ['a value out of range', { maxSessions: 201 }, 'maxSessions=201: must be a whole number from 1 to 200'],
    ['a short secret', { resumeSecret: 'hunter2' }, 'resumeSecret=[redacted]: must be a text of at least 16'],
  ])('by a file with %s', (_, content, words) => {
    const sandbox = place();
    const path = writeConfig(sandbox, content);

    for (const command of [[], ['config']]) {
      const { status, stdout, stderr } = run(sandbox, [...command, '--config', path]);

      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(`claude-code-mcp: ${path}: `);
      expect(stderr).toContain(words);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('hunter2');
    }
  });

  it.skipIf(isWindows)('by a file that is a link, can be changed by others, or is not there', () => {
    const sandbox = place();
    const path = writeConfig(sandbox, {});
    const link = join(sandbox.root, 'link.json');
    symlinkSync(path, link);
    const missing = join(sandbox.root, 'missing.json');

    const linked = run(sandbox, ['--config', link]);
    const absent = run(sandbox, ['--config', missing]);
    chmodSync(path, 0o664);
    const shared = run(sandbox, ['--config', path]);

    expect([linked, absent, shared]).toEqual([
      {
        status: 2,
        stdout: '',
        stderr: `claude-code-mcp: ${link}: is a symbolic link. Pass the path of the file that it points to.\n`,
      },
      {
        status: 2,
        stdout: '',
        stderr: `claude-code-mcp: ${missing}: file not found. Check --config.\n`,
      },
      {
        status: 2,
        stdout: '',
        stderr: `claude-code-mcp: ${path}: can be changed by other users. Run: chmod go-w '${path}'\n`,
      },
    ]);
  });

  it.each([
    [['confg'], 'confg is not a command: did you mean config? Run '],
    [['--max-session', '4'], '--max-session is not a flag: did you mean --max-sessions?'],
    [['audit', 'verify', '--audit-log', '/nope'], '/nope: audit log not found. Check --audit-log.'],
    [['--claude-path', './claude'], '--claude-path=./claude: was not found. It must be an absolute path'],
  ])('by %j', (args, words) => {
    const { status, stdout, stderr } = run(place(), args);

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});

it('config shows the folders and the executable that the server finds for itself', () => {
  const sandbox = place();

  const { settings } = JSON.parse(
    run(sandbox, ['config', '--json'], { CLAUDE_CODE_MCP_STATE_DIR: '' }).stdout,
  ) as Report;

  expect(settings['claudePath']?.value).toMatch(/[\\/]claude(\.exe)?$/);
  expect(settings['defaultCwd']).toEqual({ value: process.cwd(), source: 'default' });
  expect(settings['stateDir']?.value).toMatch(/claude-code-mcp$/);
});

it.skipIf(isWindows)('an empty HOME counts as unset: the home folder is that of the user', () => {
  const env = { HOME: '', XDG_STATE_HOME: '', CLAUDE_CODE_MCP_STATE_DIR: '' };

  const { settings } = JSON.parse(run(place(), ['config', '--json'], env).stdout) as Report;

  expect(settings['stateDir']?.value).toBe(join(userInfo().homedir, '.local', 'state', 'claude-code-mcp'));
});

it.skipIf(!hasTerminal)('a person in a terminal learns what the server is and how to stop it', async () => {
  const sandbox = place();
  const command = `exec ${process.execPath} dist/claude-code-mcp.js`;
  const terminal = spawn(script, ['-qfec', command, '/dev/null'], { env: sandbox.env() });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  const exited = once(terminal, 'exit');
  let screen = '';
  terminal.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));

  await until('it explains itself', () => screen.includes('--help'));
  const greeting = screen;
  terminal.stdin.write('hello\n');
  await until('it answers words', () => screen.includes('That is not an MCP message.'));
  terminal.stdin.write('{}\n');
  await until('it answers JSON', () => screen.includes('Invalid request: method is missing.'));
  terminal.stdin.write('\u0003');

  expect(greeting).toMatch(/is waiting for an MCP client\.\r?\n.*Ctrl-C\./);
  expect(greeting).toMatch(/node \S+ install\r?\n/);
  expect(screen.length).toBeLessThan(1_500);
  expect(await exited).toEqual([0, null]);
});

it('the server serves what the file says, and logs what looks like a slip', async () => {
  const sandbox = place();
  const path = writeConfig(sandbox, { checkResponds: true });

  const { server } = await startScene({
    era: 'modern',
    args: ['--config', path],
    env: { CLAUDE_CODE_MCP_MAX_SESSION: '4', APPROVALS: 'human' },
  });
  const { tools } = await server.client.listTools();

  expect(tools).toHaveLength(4);
  expect(server.stderr()).toContain(
    'CLAUDE_CODE_MCP_MAX_SESSION is not a setting: did you mean CLAUDE_CODE_MCP_MAX_SESSIONS?',
  );
  expect(server.stderr()).toContain('APPROVALS has no effect. Set CLAUDE_CODE_MCP_APPROVALS instead.');
});
