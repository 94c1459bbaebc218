import { describe, expect, it } from 'vitest';
import type { InputAsk } from '../../src/core/session/inputs.js';
import { Grants, grantInWords } from '../../src/inputs/grants.js';

const ask: InputAsk = {
  kind: 'permission',
  toolName: 'Bash',
  toolUseId: 't1',
  input: { command: 'a', x: { b: 1, c: 2 } },
};

it('covers the same call with its keys in any order', () => {
  const grants = new Grants();
  grants.add(ask, false);

  expect(grants.covers({ ...ask, toolUseId: 't2', input: { x: { c: 2, b: 1 }, command: 'a' } }, false)).toBe(
    true,
  );
});

it.each<[string, Partial<InputAsk>]>([
  ['another tool', { toolName: 'Write' }],
  ['another input', { input: { command: 'a', x: { b: 1, c: 3 } } }],
  ['an additional key', { input: { command: 'a', x: { b: 1, c: 2 }, force: true } }],
  ['another folder', { folder: '/srv/app/sub' }],
  ['a link to another file', { leadsTo: ['/home/ann/.bashrc'] }],
  ['another kind', { kind: 'plan_review' }],
])('does not cover %s', (_name, change) => {
  const grants = new Grants();
  grants.add(ask, false);

  expect(grants.covers({ ...ask, ...change }, false)).toBe(false);
});

it('is restored from its record, which contains no inputs', () => {
  const grants = new Grants();
  grants.add({ ...ask, input: { command: 'echo secret' }, suggestedRules: ['Bash(npm run *)'] }, false);

  const record = grants.toRecord();
  const back = new Grants(record);

  expect(back.covers({ ...ask, input: { command: 'echo secret' } }, false)).toBe(true);
  expect(back.rules).toEqual(['Bash(npm run *)']);
  expect(JSON.stringify(record)).not.toContain('secret');
});

it('is described to the approver', () => {
  expect([grantInWords(ask), grantInWords({ ...ask, suggestedRules: ['Bash(npm run *)'] })]).toEqual([
    'this exact call, until the session ends',
    'this exact call and every call that matches `Bash(npm run *)`, until the session ends',
  ]);
});

it('says that a rule for Read covers commands and searches, as Claude Code applies it', () => {
  expect(grantInWords({ ...ask, toolName: 'Read', suggestedRules: ['Read(//etc/**)'] })).toBe(
    'this exact call and every call that matches `Read(//etc/**)`, by any tool that reads, until the session ends',
  );
});

describe('with human-only approvals', () => {
  const other: InputAsk = { ...ask, input: { command: 'b' } };

  it('counts approvals by a person and not those by a caller', () => {
    const grants = new Grants();
    grants.add(ask, true);
    grants.add(other, false);

    expect([grants.covers(ask, true), grants.covers(other, true)]).toEqual([true, false]);
    expect([grants.covers(ask, false), grants.covers(other, false)]).toEqual([true, true]);
  });

  it('counts an approval by a person even if a caller approved before or after', () => {
    const grants = new Grants();
    grants.add(ask, false);
    grants.add(ask, true);
    grants.add(other, true);
    grants.add(other, false);

    expect([grants.covers(ask, true), grants.covers(other, true)]).toEqual([true, true]);
  });

  it('covers only permissions', () => {
    const grants = new Grants();
    grants.add(ask, true);

    expect(grants.covers({ ...ask, kind: 'plan_review' }, true)).toBe(false);
  });

  it('records who approved', () => {
    const grants = new Grants();
    grants.add(ask, true);
    grants.add(other, false);

    const record = grants.toRecord();
    const back = new Grants(record);

    expect([record.calls.length, record.callsByPerson?.length]).toEqual([2, 1]);
    expect([back.covers(ask, true), back.covers(other, true)]).toEqual([true, false]);
    expect(back.toRecord()).toEqual(record);
  });

  it('ignores a record that does not say who approved', () => {
    const { calls, rules } = (() => {
      const grants = new Grants();
      grants.add(ask, true);
      return grants.toRecord();
    })();

    const back = new Grants({ calls, rules });

    expect([back.covers(ask, true), back.covers(ask, false)]).toEqual([false, true]);
  });
});
