import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captureOpenings, openingApp, openingFlags } from '../../scripts/openings.js';
import { Opening, type OpeningAnswers } from '../../src/opening/opening.js';
import { changed, fullMessages } from './changed-messages.js';
import { converse } from './connection.js';

const version = '1.2.3';
const openings = await captureOpenings(version);

const { initialize, initialized, legacyList, modernList } = fullMessages;
const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

const legacyLines = lined([
  initialize,
  initialized,
  ...[...lists, 'ping'].map((method, id) => ({ ...legacyList, id, method })),
]);
const modernLines = lined(['server/discover', ...lists].map((method, id) => ({ ...modernList, id, method })));
const [discover = ''] = modernLines;

function lined(messages: readonly object[]): string[] {
  return messages.map((message) => JSON.stringify(message));
}

describe('stored answers are those of the SDK', () => {
  it.each(openingFlags.map((flags) => [flags] as const))('with %o', async (flags) => {
    const { name, factory } = await openingApp(flags, version);
    for (const lines of [legacyLines, modernLines, [discover, ...legacyLines]]) {
      const plain = await converse(lines, factory, undefined);

      const opened = await converse(lines, factory, openings[name]);

      expect(opened.passed).toBeGreaterThan(1);
      expect(opened).toEqual({ ...plain, passed: opened.passed });
    }
  });

  it('to every request of a usual start', async () => {
    const { factory, answers } = await asyncServer();

    const conversations = await Promise.all(
      [legacyLines, modernLines].map((lines) => converse(lines, factory, answers)),
    );

    expect(conversations.map(({ passed }) => passed)).toEqual([7, 5]);
  });

  it.each([
    ['initialize', [], initialize],
    ['a request of the older protocols', legacyLines.slice(0, 2), legacyList],
    ['a request of the 2026 protocol', [], modernList],
  ] as const)('to %s with any one part changed', async (_what, before, message) => {
    const { factory, answers } = await asyncServer();
    const lines = lined([...changed(message)].filter((other) => other !== null && typeof other === 'object'));
    // The SDK answers all others itself.
    const passing = lines.filter((line) => {
      const opening = new Opening(answers);
      return [...before, line].every((one) => opening.take(one) !== undefined);
    });
    expect(passing.length).toBeGreaterThan(3);
    expect(passing.length).toBeLessThan(lines.length / 2);
    for (const line of passing) {
      const plain = await converse([...before, line], factory, undefined);

      const opened = await converse([...before, line], factory, answers);

      expect(opened, line).toEqual({ ...plain, passed: before.length + 1 });
    }
  });

  it('in any order of messages', async () => {
    const { factory, answers } = await asyncServer();
    const message = fc.constantFrom(
      ...legacyLines.slice(0, 3),
      ...modernLines.slice(0, 2),
      JSON.stringify({ ...initialize, params: { ...initialize.params, protocolVersion: '2026-07-28' } }),
      '{"jsonrpc":"2.0","id":3,"method":"ping"}',
      '{"jsonrpc":"2.0","id":4,"method":"server/discover"}',
      '{"jsonrpc":"2.0","id":5,"method":"toString"}',
      'no JSON',
    );

    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), async (lines) => {
        const plain = await converse(lines, factory, undefined);

        const opened = await converse(lines, factory, answers);

        expect(opened).toEqual({ ...plain, passed: opened.passed });
      }),
      { numRuns: 150 },
    );
  });
});

async function asyncServer() {
  const { name, factory } = await openingApp({ toolsets: 'async' }, version);
  return { factory, answers: openings[name] as OpeningAnswers };
}
