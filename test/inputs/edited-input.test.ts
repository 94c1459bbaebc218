import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { cutMiddle } from '../../src/core/text/escape.js';
import type { InputRequest } from '../../src/core/session/inputs.js';
import { mask, secretMark } from '../../src/core/observability/mask.js';
import { refuseBadEdit } from '../../src/inputs/edited-input.js';
import { plainAsk } from '../kit/fake-backend.js';

function requestOf(toolName: string, input: Record<string, unknown>): InputRequest {
  const ask = { ...plainAsk, toolName, input };
  return { ...ask, shown: ask, requestId: 'r1', sessionId: 's1', askedAt: 0, expiresAt: undefined };
}

function refusalOf(request: InputRequest, edited: Record<string, unknown>): unknown {
  try {
    refuseBadEdit(request, edited);
    return 'accepted';
  } catch (error) {
    return error;
  }
}

describe('an edit of required keys', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['Bash', {}, 'command'],
    ['Bash', { command: 5 }, 'command'],
    ['Read', { path: '/a' }, 'file_path'],
    ['Write', { content: 'x' }, 'file_path'],
    ['Write', { file_path: '/a' }, 'content'],
    ['Edit', { file_path: '/a', old_string: 'x' }, 'new_string'],
    ['NotebookEdit', {}, 'notebook_path'],
    ['Glob', { pattern: null }, 'pattern'],
    ['Grep', {}, 'pattern'],
    ['WebFetch', { url: 'https://a.example' }, 'prompt'],
    ['WebSearch', {}, 'query'],
  ])('of %s is refused for %j', (toolName, edited, missing) => {
    expect(refusalOf(requestOf(toolName, {}), edited)).toEqual(
      new AppError('edit_invalid', { problem: `${toolName} needs "${missing}" as a string` }),
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ['Bash', { command: '' }],
    ['Bash', { command: 'ls', timeout: 5 }],
    ['Write', { file_path: '/a', content: '' }],
    ['mcp__a__b', {}],
    ['toString', {}],
  ])('of %s is accepted for %j', (toolName, edited) => {
    expect(refusalOf(requestOf(toolName, {}), edited)).toBe('accepted');
  });
});

describe('an edit of a value', () => {
  it.each<[unknown, unknown, string]>([
    ['text', 5, 'string'],
    [5, '5', 'number'],
    [true, 'true', 'boolean'],
    [['a'], { 0: 'a' }, 'array'],
    [{ a: 1 }, [1], 'object'],
    [{ a: 1 }, null, 'object'],
    [null, {}, 'null'],
  ])('of %j is refused for %j', (before, after, kind) => {
    expect(refusalOf(requestOf('mcp__a__b', { value: before }), { value: after })).toEqual(
      new AppError('edit_invalid', { problem: `"value" must remain of type ${kind}` }),
    );
  });

  it('may keep the type, remove the key, or add one', () => {
    const request = requestOf('mcp__a__b', { list: ['a'], nothing: null, count: 1 });

    expect(refusalOf(request, { list: [], nothing: null, added: { any: 'thing' } })).toBe('accepted');
  });
});

describe('an edit with our mask', () => {
  it.each<[string, Record<string, unknown>]>([
    ['as a value', { command: mask }],
    ['within a value', { command: `curl -H "x: ${mask}" a.example` }],
    ['deep inside', { command: 'ls', more: [{ deep: `a${mask}` }] }],
    ['as a key', { command: 'ls', [mask]: 1 }],
    ['with its length', { command: `curl -H "x: ${secretMark('secret')}" a.example` }],
  ])('%s is refused', (_where, edited) => {
    expect(refusalOf(requestOf('Bash', { command: 'curl -H "x: secret" a.example' }), edited)).toEqual(
      new AppError('edit_invalid', {
        problem: 'it contains a mark that replaces a hidden secret',
      }),
    );
  });

  it('is accepted if the input itself contains that text', () => {
    const request = requestOf('Bash', { command: `grep '${mask}' log` });

    expect(refusalOf(request, { command: `grep -c '${mask}' log` })).toBe('accepted');
  });
});

describe('an edit with an escaped character', () => {
  it('is refused, because the escape would run instead of the character', () => {
    const request = requestOf('Bash', { command: 'printf a\u200bb' });

    expect(refusalOf(request, { command: 'printf a\\u{200b}b' })).toMatchObject({ reason: 'edit_invalid' });
    expect(refusalOf(request, { command: 'printf a\u200bc' })).toBe('accepted');
  });

  it('is refused as the pages of the input have it, too', () => {
    const request = requestOf('Bash', { command: 'printf a\u200bb' });

    expect(refusalOf(request, { command: String.raw`printf a\u200bb` })).toMatchObject({
      reason: 'edit_invalid',
    });
    expect(refusalOf(request, { command: 'printf "\u200b" a\u200bb' })).toBe('accepted');
    expect(refusalOf(request, { command: String.raw`printf '\u200c \u0061'` })).toBe('accepted');
  });

  it.each([
    ['one of many marks over a letter', '\u0301'.repeat(5), String.raw`\u0301`],
    ['a control character', '\u0007', String.raw`\u0007`],
    ['a tag', '\u{e0061}', String.raw`\udb40\udc61`],
    ['half a character', '\ud83d', String.raw`\uD83D`],
  ])('is refused where the pages of the input escape %s', (_what, text, escape) => {
    const request = requestOf('Bash', { command: `printf a${text}` });

    expect(refusalOf(request, { command: `printf b${text}` })).toBe('accepted');
    expect(refusalOf(request, { command: `printf a${text}${escape}` })).toMatchObject({
      reason: 'edit_invalid',
    });
  });

  it('is accepted where the input has the character without an escape', () => {
    const request = requestOf('Bash', { command: 'printf 😀é' });

    expect(refusalOf(request, { command: String.raw`printf 😀é '\ud83d \u00e9'` })).toBe('accepted');
  });

  it('is judged at once, even if both are very long', () => {
    const request = requestOf('Bash', { command: '→'.repeat(1_000_000) });
    const command = String.raw`\u200b`.repeat(600_000);
    const start = performance.now();

    expect(refusalOf(request, { command })).toBe('accepted');
    // It takes some 100 ms. With a search of the input for each escape, it took many seconds.
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('is refused if a backslash was escaped, too', () => {
    const request = requestOf('Bash', { command: "printf '\\u{200b}'" });

    expect(refusalOf(request, { command: "printf -- '\\u{5c}u{200b}'" })).toMatchObject({
      reason: 'edit_invalid',
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['in another text', { a: 'x\u200by', b: '\\u{200b}' }, { a: 'x\\u{200b}', b: '' }],
    ['in another list', { a: ['x\u200by'], b: ['\\u{200b}'] }, { a: ['x\\u{200b}'], b: [] }],
    ['in another text, as in JSON', { a: 'x\u200by', b: '\\u200b' }, { a: 'x\\u200b', b: '' }],
    ['in another place of the text', { a: 'x\u200by \\u{200b}' }, { a: 'x\\u{200b}y' }],
    ['in another place of the text, as in JSON', { a: 'x\u200by \\u200b' }, { a: 'x\\u200by' }],
  ])('is refused, even if the input has such a text %s', (_where, input, edited) => {
    expect(refusalOf(requestOf('mcp__a__b', input), edited)).toMatchObject({ reason: 'edit_invalid' });
  });

  it('is accepted where a text with one is left alone', () => {
    const request = requestOf('mcp__a__b', { a: 'x\u200by \\u{200b}', b: '1\u200b \\u{1f600}' });

    expect(refusalOf(request, { a: 'x\u200by \\u{200b}', b: '2 \\u{1f600}' })).toBe('accepted');
  });

  it('is found at any depth', () => {
    const nested = (text: string): unknown => {
      let value: unknown = text;
      for (let level = 0; level < 2_000; level += 1) value = [value];
      return value;
    };
    const request = requestOf('mcp__a__b', { a: nested('x\u200by') });

    expect(refusalOf(request, { a: nested('x\\u{200b}y') })).toMatchObject({ reason: 'edit_invalid' });
    expect(refusalOf(request, { a: nested('xy') })).toBe('accepted');
  });

  it('is accepted if the input itself contains that text', () => {
    const request = requestOf('Bash', { command: "printf '\\u{200b}'" });

    expect(refusalOf(request, { command: "printf -- '\\u{200b}'" })).toBe('accepted');
  });
});

describe('an edit with a truncated text', () => {
  const long = 'echo '.repeat(200);

  it('is refused', () => {
    expect(refusalOf(requestOf('Bash', { command: long }), { command: cutMiddle(long, 100) })).toEqual(
      new AppError('edit_invalid', { problem: 'it contains a text that was truncated for display' }),
    );
  });

  it('is accepted if the input itself contains that text', () => {
    const request = requestOf('Bash', { command: cutMiddle(long, 100) });

    expect(refusalOf(request, { command: `${cutMiddle(long, 100)} more` })).toBe('accepted');
  });
});
