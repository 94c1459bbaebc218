import { readFileSync, readdirSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultyCli } from '../kit/faulty-cli-env.js';
import { startBackstage, startScene, type Scene } from '../kit/fixture.js';
import { apiError, text, tool } from '../kit/model-steps.js';
import { Scrape } from '../kit/scrape.js';
import { connectServer } from '../kit/server-client.js';
import { until } from '../kit/until.js';

/** The kit forbids retries, because most tests would only wait for them. */
const withRetries = { CLAUDE_CODE_MAX_RETRIES: '3' };
const claude = 'claude-opus-5-5';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const chunks = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.js'),
);

async function metricsUrl({ server }: Scene): Promise<string> {
  return until(
    'the metrics are served',
    () => /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(server.stderr())?.[0],
  );
}

async function scrape(scene: Scene): Promise<Scrape> {
  const response = await fetch(await metricsUrl(scene));
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return new Scrape(await response.text());
}

/**
 * One session: a turn that is allowed Bash and denied Write, and a reply that the API refuses once. Then two calls that
 * are refused. Answers how many events there were.
 */
async function play({ server, model, sandbox }: Scene): Promise<number> {
  model.when('touch two', [
    tool('Bash', { command: 'touch a.txt' }),
    tool('Write', { file_path: join(sandbox.project, 'b.txt'), content: 'b' }),
    text('Done.'),
  ]);
  model.when('go on', [apiError(529, 'overloaded_error', 'Overloaded'), text('Went on.')]);
  const answer = { waitMs: 20_000 };
  const first = await server.call('claude_code', { prompt: 'touch two', cwd: sandbox.project, ...answer });
  const { sessionId, actions: [bash] = [] } = first.json;
  const second = await server.call('claude_code_respond', {
    requestId: bash?.requestId,
    decision: 'allow',
    ...answer,
  });
  const [write] = second.json.actions ?? [];
  const third = await server.call('claude_code_respond', {
    requestId: write?.requestId,
    decision: 'deny',
    ...answer,
  });
  const last = await server.call('claude_code_reply', { sessionId, prompt: 'go on', ...answer });
  const unknown = await server.call('claude_code_check', {
    sessionId: '00000000-0000-4000-8000-000000000000',
  });
  const wrong = await server.call('claude_code_check', { nonsense: 1 });
  expect(third.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  expect(last.json).toMatchObject({ status: 'idle', result: { result: 'Went on.' } });
  expect([unknown, wrong].map(({ isError }) => isError)).toEqual([true, true]);
  return last.json.cursor as number;
}

/** What `play` has done, in figures; the sessions and processes are those of a server that still runs. */
function played(events: number): object {
  const calls = {
    'claude_code,ok': 1,
    'claude_code_respond,ok': 2,
    'claude_code_reply,ok': 1,
    'claude_code_check,SESSION_NOT_FOUND': 1,
    'claude_code_check,INVALID_ARGUMENT': 1,
  };
  return {
    claude_code_mcp_calls_total: calls,
    claude_code_mcp_call_duration_seconds: calls,
    claude_code_mcp_errors_total: { SESSION_NOT_FOUND: 1, INVALID_ARGUMENT: 1 },
    claude_code_mcp_claude_tool_calls_total: { 'Bash,ok': 1, 'Write,denied': 1 },
    claude_code_mcp_sessions: { running: 0, waiting: 0, idle: 1, error: 0, cancelled: 0 },
    claude_code_mcp_turns_total: { completed: 2 },
    claude_code_mcp_http_refusals_total: {},
    claude_code_mcp_turn_failures_total: {},
    claude_code_mcp_turn_duration_seconds: { completed: 2 },
    claude_code_mcp_turn_first_event_seconds: { '': 2 },
    claude_code_mcp_input_requests_total: { 'permission,caller,allow': 1, 'permission,caller,deny': 1 },
    claude_code_mcp_input_wait_seconds: { 'permission,caller': 2 },
    claude_code_mcp_processes: { '': 1 },
    claude_code_mcp_processes_started_total: { '': 1 },
    claude_code_mcp_process_start_seconds: { ready: 1 },
    claude_code_mcp_api_retries_total: { '529': 1 },
    claude_code_mcp_cost_usd_total: { [claude]: 0.0176 },
    claude_code_mcp_tokens_total: {
      [`${claude},input`]: 4_000,
      [`${claude},output`]: 80,
      [`${claude},cache_read`]: 0,
      [`${claude},cache_write`]: 0,
    },
    claude_code_mcp_events_stored_total: { '': events },
    claude_code_mcp_events_dropped_total: { '': 0 },
  };
}

describe('metrics', () => {
  const era = 'modern';
  it('are served while the server runs, and tell exactly what was done', async () => {
    const scene = await startScene({ era, env: { ...withRetries, CLAUDE_CODE_MCP_METRICS: ':0' } });

    const events = await play(scene);
    const found = await scrape(scene);

    expect(found.own()).toEqual(played(events));
    expect(found.counts('process_resident_memory_bytes')['']).toBeGreaterThan(1e7);
    expect(scene.server.strayLines()).toEqual([]);
  });

  it('are in a file of its own when the server has ended, for its user only', async () => {
    const { model, sandbox } = await startBackstage();
    const args = ['--metrics', join(sandbox.root, 'claude.{pid}.prom')];
    const server = await connectServer({ model, sandbox, era, env: withRetries, args });

    const events = await play({ server, model, sandbox });
    await server.close();

    const path = join(sandbox.root, `claude.${server.pid}.prom`);
    const content = readFileSync(path, 'utf8');
    expect(new Scrape(content).own()).toEqual({ ...played(events), claude_code_mcp_processes: { '': 0 } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(sandbox.root).filter((name) => name.startsWith('claude.'))).toHaveLength(1);
    for (const told of [sandbox.root, 'touch', 'Done', 'b.txt']) expect(content).not.toContain(told);
  });
});

describe('metrics', () => {
  it('are the same whichever way Claude Code is driven', async () => {
    const env = { ...withRetries, CLAUDE_CODE_MCP_METRICS: ':0', CLAUDE_CODE_MCP_BACKEND: 'cli' };
    const scene = await startScene({ era: 'modern', env });

    const events = await play(scene);

    expect((await scrape(scene)).own()).toEqual(played(events));
  });

  it('are there before the first call, and only under the name of the machine itself', async () => {
    const scene = await startScene({ era: 'modern', env: { CLAUDE_CODE_MCP_METRICS: '127.0.0.1:0' } });
    const url = await metricsUrl(scene);

    const plain = await fetch(url);
    const fromPage = await fetch(url, { headers: { origin: 'https://evil.example' } });
    const { port } = new URL(url);
    const renamed = await rawGet(Number(port), 'evil.example');

    expect([plain.status, fromPage.status, renamed]).toEqual([200, 403, 421]);
    expect(new Scrape(await plain.text()).counts('claude_code_mcp_processes')).toEqual({ '': 0 });
  });

  it('that cannot be served do not keep anybody from working', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { server, sandbox } = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_METRICS: `:${port}`, ...faultyCli('ok') },
    });

    const { json } = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      waitMs: 20_000,
    });

    expect(json).toMatchObject({ status: 'idle', result: { result: 'All good.' } });
    await until('the failure is logged', () =>
      /"metrics could not be started".*EADDRINUSE/.test(server.stderr()),
    );
  });

  it('are off by default: nothing that counts or serves is loaded, nor is it with the sessions', async () => {
    const { server, sandbox } = await startScene({ era: 'modern', env: faultyCli('ok') });
    await server.call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 });

    const eager = staticImports('claude-code-mcp.js');
    const sessions = chunks.filter((name) => name.includes('compose-sessions')).flatMap(staticImports);
    const holding = [...eager, ...sessions].filter((path) =>
      readFileSync(path, 'utf8').includes('prom-client'),
    );

    expect(eager.length).toBeGreaterThan(1);
    expect(sessions.length).toBeGreaterThan(1);
    expect(holding).toEqual([]);
    expect(chunks.filter((name) => readFileSync(join(dist, name), 'utf8').includes('"prom-client"'))).toEqual(
      [expect.stringMatching(/^chunks\/registry-/)],
    );
    expect(server.stderr()).not.toContain('metrics');
  });

  it.each(['0.0.0.0:9464', 'metrics.prom', 'on'])(
    'stop the start when they are to go to %s',
    async (value) => {
      const { sandbox } = await startBackstage();

      const { status, stderr } = spawnSync(process.execPath, [join(dist, 'claude-code-mcp.js')], {
        env: { ...sandbox.env(), CLAUDE_CODE_MCP_METRICS: value },
        encoding: 'utf8',
      });

      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: expect.stringContaining(
          `CLAUDE_CODE_MCP_METRICS=${value}: must be off, an absolute path, or`,
        ),
      });
    },
  );
});

/** The status of a request under another name; fetch would not send one. */
function rawGet(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/metrics', headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

/** The built file and all that is loaded with it. */
function staticImports(entry: string): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const source = readFileSync(path, 'utf8');
    for (const [, name = ''] of source.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
      visit(join(dirname(path), name));
  };
  visit(join(dist, entry));
  return [...found];
}
