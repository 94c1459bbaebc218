import { describe, expect, it } from 'vitest';
import { readRuleFor } from '../../../src/policy/attachments/read-rules.js';

const places = { folders: ['/srv/app', '/srv/lib'], home: '/home/ann' };

function covers(rule: string, real: string, named = real): boolean {
  return readRuleFor([rule], { named, real }, places) === rule;
}

describe('a rule about reading', () => {
  it.each([
    ['Read', '/srv/app/a.png'],
    ['*', '/srv/app/a.png'],
    ['Re*', '/srv/app/a.png'],
    ['Read()', '/srv/app/a.png'],
    ['Read(*)', '/srv/app/a.png'],
    ['Read(**)', '/srv/app/deep/a.png'],
    ['Read(.)', '/srv/app/a.png'],
    ['Read(/)', '/srv/app/a.png'],
    ['Read(.env)', '/srv/app/.env'],
    ['Read(.env)', '/srv/app/deep/.env'],
    ['Read(.env)', '/srv/lib/.env'],
    ['Read(./.env)', '/srv/app/.env'],
    ['Read(.env.*)', '/srv/app/.env.local'],
    ['Read(*.pem)', '/srv/app/keys/site.pem'],
    ['Read(*.PEM)', '/srv/app/Site.pem'],
    ['Read(secrets/**)', '/srv/app/secrets/deep/a.png'],
    ['Read(secrets/)', '/srv/app/secrets/a.png'],
    ['Read(/secrets)', '/srv/app/secrets/a.png'],
    ['Read(./secrets/*)', '/srv/app/secrets/a.png'],
    ['Read(**/secrets/**)', '/srv/app/deep/secrets/a.png'],
    ['Read(a/**/b.png)', '/srv/app/a/b.png'],
    ['Read(a/**/b.png)', '/srv/app/a/x/y/b.png'],
    ['Read(../lib/**)', '/srv/lib/a.png'],
    ['Read(//srv/app/secrets/**)', '/srv/app/secrets/a.png'],
    ['Read(//**/secrets/**)', '/srv/app/secrets/a.png'],
    ['Read(//srv/*/secrets)', '/srv/app/secrets/a.png'],
    [String.raw`Read(//srv/\[app\]/a.png)`, '/srv/[app]/a.png'],
    ['Read(~/notes/**)', '/home/ann/notes/a.png'],
    ['Read(~)', '/home/ann/notes/a.png'],
    ['Read(shot-?.png)', '/srv/app/shot-1.png'],
    ['Read(shot-[0-9].png)', '/srv/app/shot-1.png'],
    ['Read({a,b}.png)', '/srv/app/c.png'],
    ['Read(**/../x)', '/srv/app/a.png'],
    ['Read(caf\u00e9.png)', '/srv/app/cafe\u0301.png'],
  ])('may apply: %s to %s', (rule, path) => {
    expect(covers(rule, path)).toBe(true);
  });

  it.each([
    ['Bash', '/srv/app/a.png'],
    ['Edit(*)', '/srv/app/a.png'],
    ['Reader', '/srv/app/a.png'],
    ['mcp__*', '/srv/app/a.png'],
    ['Read(.env)', '/srv/app/a.png'],
    ['Read(.env)', '/srv/app/.environment'],
    ['Read(secrets/**)', '/srv/app/deep/secrets/a.png'],
    ['Read(/secrets)', '/srv/app/deep/secrets/a.png'],
    ['Read(*.pem)', '/srv/app/pem/a.png'],
    ['Read(a/*/b.png)', '/srv/app/a/x/y/b.png'],
    ['Read(//srv/other/**)', '/srv/app/a.png'],
    ['Read(~/notes/**)', '/srv/app/notes/a.png'],
    ['Read(!.env)', '/srv/app/.env'],
    [String.raw`Read(\*.png)`, '/srv/app/a.png'],
  ])('does not apply: %s to %s', (rule, path) => {
    expect(covers(rule, path)).toBe(false);
  });

  it('applies to a link by its own name, and by the name of its target', () => {
    expect([
      covers('Read(.env)', '/srv/app/.env', '/srv/app/notes.txt'),
      covers('Read(notes.txt)', '/srv/app/.env', '/srv/app/notes.txt'),
    ]).toEqual([true, true]);
  });

  it.each([
    ['stars', [`Read(${'*'.repeat(1_000_000)}x)`]],
    ['stars between letters', [`Read(${'*a'.repeat(500_000)}b)`]],
    ['folders', [`Read(${'**/'.repeat(300_000)}x)`]],
    ['folders with names', [`Read(${'**/*a*'.repeat(150_000)}x)`]],
    ['escapes', [`Read(x/${String.raw`\a`.repeat(500_000)})`]],
    ['many rules', Array.from({ length: 60_000 }, (_, index) => `Read(**/${index}*a)`)],
  ])('applies if it would take too long to compare: %s', (_what, rules) => {
    const path = `${'/srv/app/a'.repeat(3)}${'/a'.repeat(2_000)}/b.png`;

    expect(rules).toContain(readRuleFor(rules, { named: path, real: path }, places));
  });

  it('is compared in time that does not explode with the pattern', () => {
    const pattern = `${'**/a*'.repeat(100)}/never`;
    const path = `/srv/app/${'aaaa/'.repeat(400)}b.png`;

    expect(covers(`Read(${pattern})`, path)).toBe(false);
  });
});
