import { describe, expect, it } from 'vitest';
import { trustedKeys, withTrust } from '../../../src/console/trust/trust-record.js';
import { CommandFailure } from '../../../src/console/terminal/failure.js';

const project = { allowedTools: ['a'], hasTrustDialogAccepted: false, lastCost: 0.1 };
const state = {
  numStartups: 3,
  projects: { '/b': project, '/a': { hasTrustDialogAccepted: true } },
  'x y': [1.5],
};

describe('the record of trusted folders', () => {
  it.each([
    ['as Claude Code writes it', JSON.stringify(state, null, 2)],
    ['with tabs', `${JSON.stringify(state, null, '\t')}\n`],
    ['in one line', JSON.stringify(state)],
    ['with line ends of Windows', `\ufeff${JSON.stringify(state, null, 4).replaceAll('\n', '\r\n')}\r\n`],
  ])('changes nothing but the answer in a file %s', (_, text) => {
    const trusted = withTrust(text, '/b', true);

    expect(trusted).toBe(text.replace(/(hasTrustDialogAccepted": ?)false/, '$1true'));
    expect(withTrust(trusted, '/b', false)).toBe(text);
    expect(trustedKeys(trusted)).toEqual(['/b', '/a']);
    expect(trustedKeys(text)).toEqual(['/a']);
  });

  it('adds a folder that Claude Code does not know, and creates the file', () => {
    expect(JSON.parse(withTrust(JSON.stringify(state), '/new', true))).toEqual({
      ...state,
      projects: { ...state.projects, '/new': { hasTrustDialogAccepted: true } },
    });
    expect(withTrust(undefined, '/new', true)).toBe(
      '{\n  "projects": {\n    "/new": {\n      "hasTrustDialogAccepted": true\n    }\n  }\n}\n',
    );
    expect(trustedKeys(undefined)).toEqual([]);
  });

  it('keeps a folder with a name that objects have', () => {
    const text = withTrust('{"projects":{"__proto__":{"a":1}}}', '__proto__', true);

    expect(text).toBe('{"projects":{"__proto__":{"a":1,"hasTrustDialogAccepted":true}}}');
  });

  it.each([
    ['{"projects":', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    ['{"projects":[]}', 'unexpected value at "projects"'],
    ['{"projects":{"/a":7}}', 'unexpected value at "/a"'],
  ])('refuses to change %s', (text, message) => {
    expect(() => withTrust(text, '/a', true)).toThrow(message);
    expect(() => withTrust(text, '/a', true)).toThrow(CommandFailure);
  });
});
