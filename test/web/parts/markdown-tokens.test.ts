import { describe, expect, it } from 'vitest';
import { markdownTokens } from '../../../web/texts/markdown-tokens.js';

describe('markdown that is made to block the page', () => {
  it('has no tokens if its tables have more cells than a page can hold', () => {
    const wide = `${'|a'.repeat(1_000)}\n${'|-'.repeat(1_000)}\n${'|a\n'.repeat(1_000)}`;

    expect(markdownTokens(wide)).toBeUndefined();
  });

  it.each(['>', '* ', '1. ', '> - '])('has no tokens if %j repeats without end on one line', (marker) => {
    expect(markdownTokens(`first\n\n${marker.repeat(1_000)}a`)).toBeUndefined();
  });

  it('has a long paragraph as plain text, and the others as Markdown', () => {
    const long = '_a'.repeat(2_000);

    const tokens = markdownTokens(`**short**\n\n${long}`);

    expect(tokens?.map((token) => ('tokens' in token ? token.tokens?.map(({ type }) => type) : []))).toEqual([
      ['strong'],
      [],
      ['text'],
    ]);
  });
});
