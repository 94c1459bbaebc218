import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createArgvLog } from '../kit/argv-log.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import type { ToolReply } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';
import { until } from '../kit/until.js';
import { start } from './option-trials.js';

const full = { CLAUDE_CODE_MCP_CALLER_TRUST: 'full' };

/** An MCP server on this machine that answers nothing of use, and remembers who came. */
async function startNeighbour(): Promise<{ url: string; visits: IncomingHttpHeaders[] }> {
  const visits: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    visits.push(headers);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, visits };
}

/** A program that leaves a trace and ends. */
function leavesTrace({ sandbox }: Scene, name: string) {
  const path = join(sandbox.root, `trace-${name}`);
  return { path, command: `touch ${path}`, server: { command: 'touch', args: [path] } };
}

async function happened({ path }: { path: string }): Promise<void> {
  await until(`${path} is there`, () => existsSync(path));
}

type Try = (scene: Scene) => Record<string, unknown>;

/** Refused by name without trust, and what the tests below do with it. */
const privileged: readonly (readonly [leaf: string, advanced: Try])[] = [
  ['env.BIRD', () => ({ env: { BIRD: 'heron' } })],
  ['debug', () => ({ debug: true })],
  ['slashCommands', () => ({ slashCommands: true })],
  ['debugFile', ({ sandbox }) => ({ debugFile: join(sandbox.root, 'debug.log') })],
  [
    'pathToClaudeCodeExecutable',
    ({ sandbox }) => ({ pathToClaudeCodeExecutable: join(sandbox.root, 'claude') }),
  ],
  ['mcpServers.near.command', () => ({ mcpServers: { near: { command: 'true' } } })],
  ['mcpServers.near.url', () => ({ mcpServers: { near: { type: 'http', url: 'http://127.0.0.1:9/' } } })],
  [
    'mcpServers.far.headers.A',
    () => ({ mcpServers: { far: { type: 'sse', url: 'https://a.example/', headers: { A: '${BIRD}' } } } }),
  ],
  [
    'mcpServers.far.headersHelper',
    () => ({ mcpServers: { far: { type: 'http', url: 'https://a.example/', headersHelper: 'true' } } }),
  ],
  [
    'agents.a.mcpServers.0.s.command',
    () => ({ agents: { a: { description: 'd', prompt: 'p', mcpServers: [{ s: { command: 'true' } }] } } }),
  ],
  [
    'agents.a.permissionMode',
    () => ({ agents: { a: { description: 'd', prompt: 'p', permissionMode: 'acceptEdits' } } }),
  ],
  [
    'agents.a.initialPrompt',
    () => ({ agents: { a: { description: 'd', prompt: 'p', initialPrompt: '/help' } } }),
  ],
  ['sandbox.filesystem.disabled', () => ({ sandbox: { filesystem: { disabled: true } } })],
  ['sandbox.excludedCommands.0', () => ({ sandbox: { enabled: true, excludedCommands: ['git'] } })],
];

describe('without trust', () => {
  it('what runs programs, skips approval or writes files is refused by its name', async () => {
    const scene = await startScene({ era: 'modern' });

    const answers: string[] = [];
    for (const [, advanced] of privileged)
      answers.push((await start(scene.server, 'hello', advanced(scene))).text);

    for (const [index, [leaf]] of privileged.entries()) {
      expect(answers[index]).toContain(`Error [PERMISSION_DENIED]: callers may not set ${leaf}: it `);
      expect(answers[index]).toContain('ask the operator to set CLAUDE_CODE_MCP_CALLER_TRUST=full.');
    }
    expect(scene.model.requests()).toEqual([]);
  });
});

describe('with CALLER_TRUST=full', () => {
  it('a caller chooses variables, executable and debug output', async () => {
    const scene = await startScene({ era: 'modern', env: full });
    const { server, model, sandbox } = scene;
    const log = createArgvLog(join(sandbox.root, 'mine'));
    const debugFile = join(sandbox.root, 'debug.log');
    model.when('show', [tool('Bash', { command: 'echo "[$BIRD]"' }, { id: 'toolu_show' }), text('shown')]);

    const [first, second] = await Promise.all([
      start(
        server,
        'show',
        { env: { BIRD: 'heron' }, debugFile, pathToClaudeCodeExecutable: log.executable },
        { allowedTools: ['Bash'] },
      ),
      start(server, 'hello', { debug: true, pathToClaudeCodeExecutable: log.executable }),
    ]);

    const last = model.requests(first.json.sessionId).at(-1);
    // The value is a secret of the caller's, as far as this server can tell: the model sees it, callers do not.
    expect(last && toolResultText(last, 'toolu_show')).toContain('[heron]');
    expect(log.argvOf(first.json.sessionId)).toContain(`--debug-file=${debugFile}`);
    expect(log.argvOf(second.json.sessionId)).toContain('--debug');
    expect(existsSync(debugFile)).toBe(true);
  });

  it.each(['agent-sdk', 'cli'])(
    'a caller lets prompts run commands in a trusted folder, and only there: %s',
    async (backend) => {
      const { server, model, sandbox } = await startScene({
        era: 'modern',
        env: { ...full, CLAUDE_CODE_MCP_BACKEND: backend },
      });
      const commands = join(sandbox.project, '.claude', 'commands');
      mkdirSync(commands, { recursive: true });
      writeFileSync(join(commands, 'fix.md'), '---\ndescription: mends\n---\nMend the nest');
      const slashCommands = true;

      const untrusted = await start(server, '/fix', { slashCommands });
      sandbox.trustFolder(sandbox.project);
      const [on, off] = await Promise.all([
        start(server, '/fix', { slashCommands }),
        start(server, '/fix', {}),
      ]);

      const sent = ({ json }: ToolReply) => JSON.stringify(model.requests(json.sessionId).at(-1)?.body);
      expect(untrusted.text).toMatch(
        /^Error \[PERMISSION_DENIED\]: slashCommands .*CLAUDE_CODE_MCP_TRUSTED_ROOTS/,
      );
      expect(sent(on)).toContain('Mend the nest');
      expect(sent(off)).not.toContain('Mend the nest');
      expect(model.requests(off.json.sessionId).at(-1)?.promptText).toBe('/fix');
    },
  );

  it('a caller brings MCP servers that run programs, live on this machine and read the environment', async () => {
    const scene = await startScene({ era: 'modern', env: { ...full, BIRD: 'osprey' } });
    const { url, visits } = await startNeighbour();
    const program = leavesTrace(scene, 'program');
    const helper = leavesTrace(scene, 'helper');

    const { json } = await start(scene.server, 'hello', {
      mcpServers: {
        program: program.server,
        near: { type: 'http', url, headers: { 'X-Bird': '${BIRD}' } },
        helped: { type: 'http', url, headersHelper: helper.command },
      },
    });

    expect(json.status).toBe('idle');
    await Promise.all([happened(program), happened(helper)]);
    await until('the neighbour is visited', () => visits.some((headers) => headers['x-bird'] === 'osprey'));
  });

  it('a caller brings agents with servers, a mode and a first prompt of their own', async () => {
    const scene = await startScene({ era: 'modern', env: full });
    const { server, model, sandbox } = scene;
    const program = leavesTrace(scene, 'agent-server');
    const written = join(sandbox.project, 'w.txt');
    const bird = { description: 'writes', prompt: 'You write.' };
    model.when('delegate', [
      tool('Agent', {
        description: 'w',
        prompt: 'write it',
        subagent_type: 'writer',
        run_in_background: false,
      }),
      text('over'),
    ]);
    model.when('write it', [tool('Write', { file_path: written, content: 'w' }), text('written')]);

    const [delegated, opened] = await Promise.all([
      start(server, 'delegate', {
        agents: { writer: { ...bird, permissionMode: 'acceptEdits', mcpServers: [{ s: program.server }] } },
      }),
      start(server, 'hello', { agents: { opener: { ...bird, initialPrompt: 'WAKE UP' } }, agent: 'opener' }),
    ]);

    expect(delegated.json).toMatchObject({ status: 'idle', result: { result: 'over' } });
    expect(existsSync(written)).toBe(true);
    await happened(program);
    expect(JSON.stringify(model.requests(opened.json.sessionId).map(({ body }) => body.messages))).toContain(
      'WAKE UP',
    );
  });

  it('a caller loosens the sandbox', async () => {
    const { server, sandbox } = await startScene({ era: 'modern', env: full });
    const log = createArgvLog(join(sandbox.root, 'mine'));
    const loose = { enabled: true, failIfUnavailable: false, excludedCommands: ['git'] };

    const { json } = await start(server, 'hello', {
      sandbox: loose,
      pathToClaudeCodeExecutable: log.executable,
    });

    const argv = log.argvOf(json.sessionId);
    expect(json.status).toBe('idle');
    expect(JSON.parse(argv[argv.indexOf('--settings') + 1] ?? '')).toMatchObject({ sandbox: loose });
  });

  it('a caller drops the settings of the user', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern', env: full });
    writeFileSync(join(sandbox.configDir, 'CLAUDE.md'), 'OSPREY');

    const { text: answer } = await start(server, 'hello', { settingSources: [] });

    expect(answer).toContain('"status":"idle"');
    expect(JSON.stringify(model.requests().map(({ body }) => body))).not.toContain('OSPREY');
  });

  it('a caller skips every approval', async () => {
    const { server, model, sandbox } = await startScene({ era: 'modern', env: full });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);

    const { text: answer } = await start(server, 'touch', {}, { permissionMode: 'bypassPermissions' });

    expect(answer).toContain('"status":"idle"');
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(true);
  });
});
