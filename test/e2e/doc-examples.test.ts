/** The answers that the first guide and the tool reference show, compared with those of the built server. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

type Examples = Readonly<Record<string, string>>;

const differs =
  /^(sessionId|requestId|inputId|expiresAt|lastUsedAt|timestamp|cwd|projectDirectory|durationMs|cursor)$/;

/** The answer as text, with the order of its keys, without what differs each time. */
function lasting(answer: unknown): string {
  return JSON.stringify(answer, (key, value: unknown) => (differs.test(key) ? typeof value : value), 2);
}

/** The first example of each tool. */
function examplesIn(path: string): Examples {
  const page = readFileSync(path, 'utf8');
  const found = page.matchAll(/```text\n(\w+) [^\n]*\n```\n\n```json\n([\s\S]*?)\n```/g);
  const entries = [...found].map(([, name = '', json = '']) => [name, lasting(JSON.parse(json))] as const);
  return Object.fromEntries(entries.toReversed());
}

it('the examples of the documentation are what the server answers', async () => {
  const { server, model, sandbox } = await startScene({
    era: 'modern',
    env: { CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions' },
  });
  const asked = createGate();
  const created = createGate();
  const allowed = createGate();
  const run = tool('Bash', { command: 'npm test', description: 'Run the tests' });
  const cwd = sandbox.project;
  const seen: Record<string, string> = {};
  const call = async (name: string, args: Record<string, unknown>) => {
    const { json } = await server.call(name, args);
    seen[name] = lasting(json);
    return json;
  };
  const statusIs = (sessionId: string, status: string) =>
    until(status, async () => (await call('claude_get_status', { sessionId })).status === status);

  model.when('Do the tests pass?', [gate(asked, run), text('All 12 tests pass.')]);
  model.when('Which test is slow?', [text('The slowest test is parser.test.ts (4.1 s).')]);
  const { sessionId } = await call('claude_code', {
    prompt: 'Do the tests pass?',
    cwd,
    title: 'parser tests',
  });
  asked.open();
  const { actions } = await call('claude_code_check', { sessionId, cursor: 0 });
  await call('claude_code_respond', { requestId: actions?.[0]?.requestId, decision: 'allow' });
  await call('claude_code_reply', { sessionId, prompt: 'Which test is slow?', waitMs: 30_000 });
  await call('claude_code_session', { action: 'list' });

  model.when('Do the tests pass?', [gate(created, run), gate(allowed, text('All 12 tests pass.'))]);
  const workingDirectory = join(cwd, 'parser');
  mkdirSync(workingDirectory);
  const six = await call('claude_create_session', { prompt: 'Do the tests pass?', workingDirectory });
  created.open();
  await statusIs(six.sessionId, 'waiting_for_input');
  const { claude_get_status: waiting = '' } = seen;
  const { json } = await server.call('claude_get_status', { sessionId: six.sessionId });
  const [input] = (json as unknown as { pendingInputs: { inputId: string }[] }).pendingInputs;
  await call('claude_respond', { sessionId: six.sessionId, inputId: input?.inputId, decision: 'allow' });
  allowed.open();
  await statusIs(six.sessionId, 'completed');
  await call('claude_list_sessions', { projectDirectory: workingDirectory, limit: 1 });
  seen['claude_get_status'] = waiting;

  const shown = ['docs/guides/first-delegation.md', 'docs/tools/async.md', 'docs/tools/sessions.md'].map(
    examplesIn,
  );
  expect(shown.map((examples) => Object.keys(examples).length)).toEqual([3, 5, 6]);
  for (const examples of shown) {
    const names = Object.keys(examples).filter((name) => name in seen);
    expect(examples).toMatchObject(Object.fromEntries(names.map((name) => [name, seen[name]])));
  }
});
