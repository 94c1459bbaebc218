import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { apiError, text, tool } from '../kit/model-steps.js';
import { Scrape } from '../kit/scrape.js';
import { until } from '../kit/until.js';

/** What the scripted model uses for each answer. */
const model = 'claude-sonnet-5';

async function metricsUrl({ server }: Scene): Promise<string> {
  const found = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(server.stderr())?.[0];
  await until('the metrics are served', () => found() !== undefined);
  return found() ?? '';
}

/** One start that is allowed a tool and denied another, a reply after a busy API, and two calls that are refused. */
async function play({ server, model, sandbox }: Scene): Promise<void> {
  model.when('touch two', [
    tool('Bash', { command: 'touch a.txt' }),
    tool('Write', { file_path: join(sandbox.project, 'b.txt'), content: 'b' }),
    text('Done.'),
  ]);
  model.when('go on', [apiError(529, 'overloaded_error', 'Overloaded'), text('Went on.')]);
  const first = await server.call('claude_code', {
    prompt: 'touch two',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const { sessionId } = first.json;
  const second = await server.call('claude_code_respond', {
    requestId: first.json.actions?.[0]?.requestId,
    decision: 'allow',
    waitMs: 20_000,
  });
  const done = await server.call('claude_code_respond', {
    requestId: second.json.actions?.[0]?.requestId,
    decision: 'deny',
    waitMs: 20_000,
  });
  expect(done.json).toMatchObject({ status: 'idle' });
  const replied = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 30_000 });
  expect(replied.json).toMatchObject({ status: 'idle', result: { result: 'Went on.' } });
  await server.call('claude_code_check', { sessionId: '00000000-0000-4000-8000-000000000000' });
  await server.call('claude_code_check', { nonsense: 1 });
}

describe('x', () => {
  it('http', async () => {
    const scene = await startScene({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_METRICS: ':0', CLAUDE_CODE_MAX_RETRIES: '3' },
    });
    await play(scene);
    const url = await metricsUrl(scene);
    const text = await (await fetch(url)).text();
    console.log(
      text
        .split('\n')
        .filter((l) => l.startsWith('claude_') && !l.includes('_bucket'))
        .join('\n'),
    );
    console.log(scene.server.stderr().slice(0, 2000));
    expect(new Scrape(text).counts('claude_code_mcp_turns_total')).toEqual({ completed: 2 });
  });
});
