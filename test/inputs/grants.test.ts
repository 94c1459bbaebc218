import { describe, expect, it } from 'vitest';
import type { InputAsk } from '../../src/core/session/inputs.js';
import { grantInWords } from '../../src/inputs/grant-words.js';
import { Grants, type Counts } from '../../src/inputs/grants.js';

const ask: InputAsk = {
  kind: 'permission',
  toolName: 'Bash',
  toolUseId: 't1',
  input: { command: 'a', x: { b: 1, c: 2 } },
};

const ofAnyone = () => true;
const ofPerson: Counts = (by) => by === 'person';

it('covers the same call with its keys in any order', () => {
  const grants = new Grants();
  grants.add(ask, 'caller');

  expect(
    grants.covers({ ...ask, toolUseId: 't2', input: { x: { c: 2, b: 1 }, command: 'a' } }, ofAnyone),
  ).toBe(true);
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
  grants.add(ask, 'caller');

  expect(grants.covers({ ...ask, ...change }, ofAnyone)).toBe(false);
});

it('is restored from its record, which contains no inputs', () => {
  const grants = new Grants();
  grants.add({ ...ask, input: { command: 'echo secret' }, suggestedRules: ['Bash(npm run *)'] }, 'caller');

  const record = grants.toRecord();
  const back = new Grants(record);

  expect(back.covers({ ...ask, input: { command: 'echo secret' } }, ofAnyone)).toBe(true);
  expect(back.rules(ofAnyone)).toEqual(['Bash(npm run *)']);
  expect(JSON.stringify(record)).not.toContain('secret');
});

it('keeps the newest rules, as far as a process can get them', () => {
  const rules = Array.from({ length: 1_000 }, (_, index) => `Bash(echo ${index} ${'x'.repeat(280)})`);
  const grants = new Grants();

  for (const rule of rules) grants.addRules([rule], 'caller');

  const kept = grants.rules(ofAnyone);
  expect(kept).toEqual(rules.slice(-kept.length));
  expect(kept.join('').length).toBeGreaterThan(120_000);
  expect(JSON.stringify(grants.toRecord()).length).toBeLessThan(250_000);
});

it('is described to the approver', () => {
  expect([grantInWords(ask), grantInWords({ ...ask, suggestedRules: ['Bash(npm run *)'] })]).toEqual([
    'this exact call, until the session ends',
    'this exact call and every call that matches `Bash(npm run *)`, until the session ends',
  ]);
});

it('counts a rule as new that is approved again', () => {
  const grants = new Grants();
  const rules = Array.from({ length: 799 }, (_, index) => `Bash(${index} `.padEnd(249, 'x').concat(')'));
  grants.addRules(['Bash(ls)', ...rules], 'person');

  grants.addRules(['Bash(ls)'], 'caller');
  grants.addRules(['Bash(new) '.padEnd(500, 'x')], 'caller');

  expect(grants.rules(ofAnyone)).toContain('Bash(ls)');
  expect(grants.rules(ofPerson)).toContain('Bash(ls)');
  expect(grants.rules(ofAnyone)).not.toContain(rules[0]);
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
    grants.add(ask, 'person');
    grants.add(other, 'caller');

    expect([grants.covers(ask, ofPerson), grants.covers(other, ofPerson)]).toEqual([true, false]);
    expect([grants.covers(ask, ofAnyone), grants.covers(other, ofAnyone)]).toEqual([true, true]);
  });

  it('counts an approval by a person even if a caller approved before or after', () => {
    const grants = new Grants();
    grants.add(ask, 'caller');
    grants.add(ask, 'person');
    grants.add(other, 'person');
    grants.add(other, 'caller');

    expect([grants.covers(ask, ofPerson), grants.covers(other, ofPerson)]).toEqual([true, true]);
  });

  it('covers only permissions', () => {
    const grants = new Grants();
    grants.add(ask, 'person');

    expect(grants.covers({ ...ask, kind: 'plan_review' }, ofPerson)).toBe(false);
  });

  it('records who approved', () => {
    const grants = new Grants();
    grants.add(ask, 'person');
    grants.add(other, 'caller');

    const record = grants.toRecord();
    const back = new Grants(record);

    expect([record.calls.length, record.callsByPerson?.length]).toEqual([2, 1]);
    expect([back.covers(ask, ofPerson), back.covers(other, ofPerson)]).toEqual([true, false]);
    expect(back.toRecord()).toEqual(record);
  });

  it('ignores a record that does not say who approved', () => {
    const { calls, rules } = (() => {
      const grants = new Grants();
      grants.add(ask, 'person');
      return grants.toRecord();
    })();

    const back = new Grants({ calls, rules });

    expect([back.covers(ask, ofPerson), back.covers(ask, ofAnyone)]).toEqual([false, true]);
  });
});
