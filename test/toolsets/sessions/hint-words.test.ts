import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hintWords } from '../../../src/toolsets/sessions/hint-words.js';

const layers = [
  'core',
  'policy',
  'session',
  'sessions',
  'inputs',
  'events',
  'history',
  'mcp',
  'backends',
] as const;
const hintPattern = /\bhint(?::| =)\s*(?:\S+\s*\?\s*)?(['"`])((?:\\.|(?!\1).)*)\1/g;

/** What only callers of other tools can be told. */
const notOffered = 'session/turn/configure.ts';

/** The hints that the layers below the toolsets give. */
function hints(): string[] {
  return layers
    .flatMap((layer) =>
      readdirSync(join('src', layer), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !`${layer}/${path}`.includes(notOffered))
        .map((path) => readFileSync(join('src', layer, path), 'utf8')),
    )
    .flatMap((source) => [...source.matchAll(hintPattern)].map(([, , hint = '']) => hint));
}

function inTheWordsOfSessions(hint: string): string {
  return hintWords.reduce((text, [name, word]) => text.replace(name, word), hint);
}

describe('a hint of the session layer', () => {
  it('names none of the tools of another toolset', () => {
    const told = hints().map(inTheWordsOfSessions);

    expect(told.length).toBeGreaterThan(50);
    expect(
      told.filter((hint) =>
        /\bclaude_code(_check|_respond|_session)?\b|diskResumeConfig|whenBusy|sessionInitTimeoutMs/.test(
          hint,
        ),
      ),
    ).toEqual([]);
  });
});
