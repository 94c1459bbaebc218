import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxResultChars } from '../../../src/mcp/render.js';
import { snapshotView } from '../../../src/toolsets/async/snapshot/snapshot.js';
import { asyncVocabulary } from '../../../src/toolsets/async/wording/vocabulary.js';
import { carriedChars, viewText } from '../../kit/view-text.js';
import { startedScene } from '../../session/session-scene.js';
import { createToolScene, parse, startVia, type Json } from './tool-scene.js';

/** Texts that JSON makes two to six times longer, and characters that must not be cut in half. */
const nasty = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', '😀', '\u202e'), minLength: 1 }),
    fc.nat(4_000),
  )
  .map(([unit, times]) => unit.repeat(times));
const everything = new Set(['events', 'tools', 'usage'] as const);

const anyStory = fc.record({
  result: nasty,
  events: fc.array(nasty, { maxLength: 20 }),
  inputs: fc.array(fc.record({ command: nasty, description: nasty }), { maxLength: 6 }),
  tools: fc
    .nat(400)
    .map((count) => Array.from({ length: count }, (_, index) => `mcp__server__tool_${index}`)),
  tasks: fc.array(nasty, { maxLength: 10 }),
  structuredOutput: fc.dictionary(fc.string(), nasty, { maxKeys: 5 }),
});

describe('a snapshot', () => {
  it('is JSON of at most 7,500 characters, whatever Claude has said and asked', async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, async (story) => {
        const { session, process } = await startedScene({ options: { title: 't'.repeat(200) } });
        process.init(story.tools);
        process.result({
          result: story.result,
          structuredOutput: story.structuredOutput,
          usage: story.tasks,
        });
        process.signal({ type: 'tasks', tasks: story.tasks.map((text) => ({ taskId: 't', text })) });
        for (const text of story.events) process.event({ type: 'text', text });
        for (const input of story.inputs) {
          void process.ask({ input, claudeSays: input.description, reason: input.description });
        }

        const text = viewText(
          snapshotView(session.view, {
            rights: 'all',
            words: asyncVocabulary,
            cursor: 0,
            include: everything,
          }),
        );

        expect(carriedChars(text)).toBeLessThanOrEqual(maxResultChars);
        expect(parse(text)).toMatchObject({ sessionId: session.id, status: session.view.state.status });
        expect(text).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 15 },
    );
  });

  it('says how much of a long result is hidden, and how long it is', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, async (result) => {
        fc.pre(result.length > 7_500);
        const { session, process } = await startedScene();
        process.result({ result });

        const shown = parse(viewText(snapshotView(session.view, { rights: 'all', words: asyncVocabulary })))[
          'result'
        ] as Json;

        const hidden = Number(/ …\[(\d+) characters hidden\]… /.exec(String(shown['result']))?.[1]);
        const noteLength = ` …[${hidden} characters hidden]… `.length;
        expect(String(shown['result']).length - noteLength + hidden).toBe(result.length);
        expect(shown['resultChars']).toBe(result.length);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    [6_000, undefined],
    [7_400, 7_400],
  ])('of a result of %d characters says that it was cut only when it was', async (length, resultChars) => {
    const { session, process } = await startedScene();
    process.result({ result: 'x'.repeat(length) });

    const shown = parse(viewText(snapshotView(session.view, { rights: 'all', words: asyncVocabulary })))[
      'result'
    ] as Json;

    expect(shown['resultChars']).toBe(resultChars);
  });

  it('says how many actions it does not show', async () => {
    const { session, process } = await startedScene();
    for (let index = 0; index < 80; index += 1) void process.ask({ input: { command: 'x'.repeat(5_000) } });

    const snapshot = parse(viewText(snapshotView(session.view, { rights: 'all', words: asyncVocabulary })));

    const actions = snapshot['actions'] as Json[];
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.length + Number(snapshot['moreActions'])).toBe(80);
  });

  it('stays within its size when a tool has a name without end', async () => {
    const { session, process } = await startedScene();
    void process.ask({ toolName: 'x'.repeat(20_000) });

    expect(
      carriedChars(viewText(snapshotView(session.view, { rights: 'all', words: asyncVocabulary }))),
    ).toBeLessThanOrEqual(maxResultChars);
  });
});

describe('an answer is at most 7,500 characters', () => {
  it('for as many sessions as can be asked for, all done', async () => {
    const scene = await createToolScene();
    const sessionIds: string[] = [];
    for (let index = 0; index < 25; index += 1) {
      const { sessionId, process } = await startVia(scene, { title: `session ${index}` });
      process.result({ result: 'x'.repeat(500), outcome: 'failed', errorSubtype: 'not_signed_in' });
      sessionIds.push(sessionId);
    }

    const text = await scene.call('claude_code_check', { sessionIds });

    expect(parse(text)['sessions']).toHaveLength(25);
    expect(carriedChars(text)).toBeLessThanOrEqual(maxResultChars);
  });

  // Every session shows at least three actions of some 300 characters each.
  it('for many sessions that all wait for answers', async () => {
    const scene = await createToolScene();
    const sessionIds: string[] = [];
    for (let index = 0; index < 25; index += 1) {
      const { sessionId, process } = await startVia(scene);
      for (let ask = 0; ask < 3; ask += 1) void process.ask({ claudeSays: 'Runs the tests' });
      sessionIds.push(sessionId);
    }

    const text = await scene.call('claude_code_check', { sessionIds });

    expect(parse(text)['sessions']).toHaveLength(25);
    expect(carriedChars(text)).toBeLessThanOrEqual(maxResultChars);
  });

  it('for a list of sessions with long titles', async () => {
    const scene = await createToolScene();
    for (let index = 0; index < 40; index += 1) await startVia(scene, { title: 't'.repeat(200) });

    const text = await scene.call('claude_code_session', { action: 'list', limit: 100 });

    const { sessions, message } = parse(text);
    expect(carriedChars(text)).toBeLessThanOrEqual(maxResultChars);
    const shown = (sessions as unknown[]).length;
    expect(message).toBe(`${40 - shown} older sessions are not shown (continue with offset ${shown})`);
  });

  // The rules are the caller's own words and are not cut.
  it('for a session with many rules', async () => {
    const scene = await createToolScene();
    const allowedTools = Array.from({ length: 100 }, (_, index) => `Bash(${'x'.repeat(200)} ${index})`);
    const { sessionId } = await startVia(scene, { allowedTools });

    const text = await scene.call('claude_code_session', { action: 'get', sessionId });

    expect(carriedChars(text)).toBeLessThanOrEqual(maxResultChars);
  });
});
