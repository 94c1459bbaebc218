import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sessionOptions } from '../../src/core/options/index.js';
import { toolsReference } from '../../src/toolsets/reference/claude-tools.js';
import { optionsReference } from '../../src/toolsets/reference/start-options.js';

/** Without the spaces with which the docs are aligned. */
const cells = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replaceAll(/ +\|/g, ' |'));

describe('the reference of options', () => {
  it.each(Object.entries(sessionOptions))('has %s, with all that is to be said of it', (key, { long }) => {
    const row = cells(optionsReference()).find((line) => line.startsWith(`| \`${key}\``));

    expect(row?.replaceAll('\\|', '|')).toContain(long);
  });

  it('says what the docs say', () => {
    const docs = readFileSync(fileURLToPath(new URL('../../docs/tools/async.md', import.meta.url)), 'utf8');

    expect(cells(docs)).toEqual(expect.arrayContaining(cells(optionsReference())));
  });
});

describe('the reference of tools', () => {
  it('tells which of them a session has reported', () => {
    const text = toolsReference(new Set(['Bash', 'Teleport']), []);

    expect(text).toContain('| `Bash` | commands | Runs a shell command. | yes |');
    expect(text).toContain('| `Read` | files | Reads a file: text, an image, a PDF or a notebook. |  |');
    expect(text).toContain('| `Teleport` | other |  | yes |');
    expect(text).not.toContain('none has started yet');
  });

  it('tells what is known before the first session', () => {
    expect(toolsReference(new Set(), [])).toContain('none has started yet');
  });
});
