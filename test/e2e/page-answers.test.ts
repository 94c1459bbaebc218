import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';
import { findTranscript } from '../../src/history/transcript.js';
import { TranscriptTimelines } from '../../src/history/timeline/transcript-timeline.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, thinking, tool } from '../kit/model-steps.js';
import { pairPage, type PairedPage } from '../kit/paired-page.js';
import { until } from '../kit/until.js';

async function startPaired(): Promise<Scene & { readonly page: PairedPage }> {
  const scene = await startScene({ era: 'modern', args: ['--web', '127.0.0.1:0'] });
  // The page opens after the first answer of the server.
  await scene.server.call('claude_code_session', { action: 'list' });
  const page = await pairPage(scene.sandbox, 'Phone');
  await page.nextOf('inbox');
  return { ...scene, page };
}

it('shows what a session did: its timeline, its calls and its changes', async () => {
  const scene = await startPaired();
  const { server, model, sandbox, page } = scene;
  const [old, made] = [join(sandbox.project, 'old.txt'), join(sandbox.project, 'made.txt')];
  writeFileSync(old, 'one\ntwo\n');
  writeFileSync(made, 'read\n');
  model.when('go', [
    tool('Read', { file_path: old }),
    tool('Edit', { file_path: old, old_string: 'two', new_string: 'three' }, { id: 'toolu_edit' }),
    tool('Agent', { description: 'd', prompt: 'look around', subagent_type: 'general-purpose' }),
    thinking('That was it.', text('Done.')),
  ]);
  model.when('look around', [
    tool('Read', { file_path: made }),
    tool('Write', { file_path: made, content: 'sub\n' }),
    text('seen'),
  ]);
  const { sessionId } = (await server.call('claude_code', { prompt: 'go', cwd: sandbox.project })).json;

  const first = await page.nextOf('asked');
  await page.call('answer', { requestId: first.card.requestId, decision: 'allow' });
  const second = await page.nextOf('asked');
  await page.call('answer', { requestId: second.card.requestId, decision: 'allow' });
  await server.call('claude_code_check', { sessionId, waitMs: 20_000 });
  const { events } = await page.call('events', { sessionId, before: 1_000, limit: 100 });
  const call = await page.call('toolCall', { sessionId, toolUseId: 'toolu_edit' });
  // The subagent works in the background.
  const files = await until('the subagent has changed its file', async () => {
    const { files: changed } = await page.call('changes', { sessionId });
    return changed.length === 2 ? changed : undefined;
  });
  // What another server would show of this session, which finds it on disk only.
  const path = await findTranscript(resolveClaudeHome(sandbox), sessionId, sandbox.project);
  const { items } = await new TranscriptTimelines().read(path ?? '', { from: 0, to: 100 });

  expect(second.card).toMatchObject({ agent: 'general-purpose', what: { type: 'edit', path: made } });
  expect(events[0]).toMatchObject({ body: { type: 'prompt', text: 'go' } });
  expect(events.map(({ body }) => body.type)).toEqual(
    expect.arrayContaining(['tool_use', 'asked', 'settled']),
  );
  expect(call).toMatchObject({ what: { type: 'edit', before: 'two', after: 'three' }, isError: false });
  expect(files).toEqual([
    { path: old, before: 'one\ntwo\n', after: 'one\nthree\n' },
    { path: made, before: 'read\n', after: 'sub\n' },
  ]);
  const happened = items.map(({ agent = '', body }) => `${agent} ${body.type}`.trim());
  const calls = ['tool_use', 'tool_result', 'tool_use', 'tool_result', 'tool_use'];
  expect(happened.slice(0, 6)).toEqual(['prompt', ...calls]);
  expect(happened).toEqual(
    expect.arrayContaining(['thinking', 'text', 'general-purpose tool_use', 'general-purpose tool_result']),
  );
}, 60_000);

it('has one winner in a race with a tool call, and the page names it', async () => {
  const { server, model, sandbox, page } = await startPaired();
  model.when('go', [tool('Bash', { command: 'echo once >> log.txt' }), text('Done.')]);
  const { sessionId } = (await server.call('claude_code', { prompt: 'go', cwd: sandbox.project })).json;
  const { card } = await page.nextOf('asked');
  const { requestId } = card;

  const [byPage, byCaller] = await Promise.all([
    page.call('answer', { requestId, decision: 'allow' }),
    server.call('claude_code_respond', { requestId, decision: 'allow' }),
  ]);
  const { settlement } = await page.nextOf('settled');
  await server.call('claude_code_check', { sessionId, waitMs: 20_000, cursor: 0 });

  expect([byPage.error === undefined, !byCaller.isError].filter(Boolean)).toHaveLength(1);
  expect(settlement.by).toBe(byPage.error === undefined ? 'page' : 'caller');
  expect(byPage.error?.settlement?.by ?? settlement.by).toBe(settlement.by);
  expect(readFileSync(join(sandbox.project, 'log.txt'), 'utf8')).toBe('once\n');
}, 60_000);
