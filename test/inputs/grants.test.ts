import { describe, expect, it } from 'vitest';
import type { InputAsk } from '../../src/core/session/inputs.js';
import { Grants, grantInWords } from '../../src/inputs/grants.js';

const ask: InputAsk = {
  kind: 'permission',
  toolName: 'Bash',
  toolUseId: 't1',
  input: { command: 'a', x: { b: 1, c: 2 } },
};

it('covers the same call, in whatever order its keys come', () => {
  const grants = new Grants();
  grants.add(ask, false);

  expect(grants.covers({ ...ask, toolUseId: 't2', input: { x: { c: 2, b: 1 }, command: 'a' } }, false)).toBe(
    true,
  );
});

it.each<[string, Partial<InputAsk>]>([
  ['another tool', { toolName: 'Write' }],
  ['another input', { input: { command: 'a', x: { b: 1, c: 3 } } }],
  ['one key more', { input: { command: 'a', x: { b: 1, c: 2 }, force: true } }],
  ['another kind', { kind: 'plan_review' }],
])('does not cover %s', (_name, change) => {
  const grants = new Grants();
  grants.add(ask, false);

  expect(grants.covers({ ...ask, ...change }, false)).toBe(false);
});

it('comes back from its record, which holds no inputs', () => {
  const grants = new Grants();
  grants.add({ ...ask, input: { command: 'echo secret' }, suggestedRules: ['Bash(npm run *)'] }, false);

  const record = grants.toRecord();
  const back = new Grants(record);

  expect(back.covers({ ...ask, input: { command: 'echo secret' } }, false)).toBe(true);
  expect(back.rules).toEqual(['Bash(npm run *)']);
  expect(JSON.stringify(record)).not.toContain('secret');
});

it('is put into words', () => {
  expect([grantInWords(ask), grantInWords({ ...ask, suggestedRules: ['Bash(npm run *)'] })]).toEqual([
    'this exact call, until the session ends',
    'this exact call and every call that matches Bash(npm run *), until the session ends',
  ]);
});

describe('where only people may approve', () => {
  const other: InputAsk = { ...ask, input: { command: 'b' } };

  it('counts what a person has allowed, and nothing that a caller has', () => {
    const grants = new Grants();
    grants.add(ask, true);
    grants.add(other, false);

    expect([grants.covers(ask, true), grants.covers(other, true)]).toEqual([true, false]);
    expect([grants.covers(ask, false), grants.covers(other, false)]).toEqual([true, true]);
  });

  it('counts what a person has allowed, also after a caller did, and the other way round', () => {
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

  it('keeps who allowed it in the record', () => {
    const grants = new Grants();
    grants.add(ask, true);
    grants.add(other, false);

    const record = grants.toRecord();
    const back = new Grants(record);

    expect([record.calls.length, record.callsByPerson?.length]).toEqual([2, 1]);
    expect([back.covers(ask, true), back.covers(other, true)]).toEqual([true, false]);
    expect(back.toRecord()).toEqual(record);
  });

  it('counts nothing of a record that does not say who allowed it', () => {
    const { calls, rules } = (() => {
      const grants = new Grants();
      grants.add(ask, true);
      return grants.toRecord();
    })();

    const back = new Grants({ calls, rules });

    expect([back.covers(ask, true), back.covers(ask, false)]).toEqual([false, true]);
  });
});
