import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GrantSeal } from '../../src/state/grant-seal.js';
import type { SessionRecord } from '../../src/state/record.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { plainOptions, plainRecord } from '../kit/records.js';

const id = '00000000-0000-4000-8000-000000000001';
const grants = { calls: ['a1'], rules: ['Bash(npm test)'], callsByPerson: ['a1'] };

const record = plainRecord(id);

function createScene() {
  const keyPath = join(temporaryFolder(), 'config', 'grants.key');
  const logged: string[] = [];
  const open = (): GrantSeal =>
    new GrantSeal({ keyPath, logger: { log: (_level, message) => logged.push(message) } });
  return { keyPath, logged, open };
}

function sealedBy(seal: GrantSeal): SessionRecord {
  const grantsMac = seal.macOf({ sessionId: id, cwd: plainOptions.cwd, grants });
  return { ...record, grants, ...(grantsMac === undefined ? {} : { grantsMac }) };
}

describe('saved grants', () => {
  it('count again on the next server', () => {
    const { open, logged } = createScene();

    const sealed = sealedBy(open());

    expect(open().open(sealed)).toEqual(grants);
    expect(logged).toEqual([]);
  });

  it.each<[string, (sealed: SessionRecord) => SessionRecord]>([
    ['another call', (sealed) => ({ ...sealed, grants: { ...grants, calls: ['a1', 'b2'] } })],
    ['another rule', (sealed) => ({ ...sealed, grants: { ...grants, rules: ['Bash'] } })],
    ['another person', (sealed) => ({ ...sealed, grants: { ...grants, callsByPerson: [] } })],
    [
      'a rule of another person',
      (sealed) => ({ ...sealed, grants: { ...grants, rulesByPerson: grants.rules } }),
    ],
    ['another session', (sealed) => ({ ...sealed, sessionId: id.replace('1', '2') })],
    ['another folder', (sealed) => ({ ...sealed, options: { ...plainOptions, cwd: '/elsewhere' } })],
    ['another MAC', (sealed) => ({ ...sealed, grantsMac: 'f'.repeat(64) })],
    ['a short MAC', (sealed) => ({ ...sealed, grantsMac: 'ff' })],
    ['no MAC, as version 0.1 wrote them', ({ grantsMac: _mac, ...sealed }) => sealed],
  ])('are dropped with %s', (_what, change) => {
    const { open, logged } = createScene();

    expect(open().open(change(sealedBy(open())))).toBeUndefined();

    expect(logged).toEqual([
      'saved approvals of a session were dropped, because their MAC is missing or wrong',
    ]);
  });

  it('need no key as long as there are none', () => {
    const { open, keyPath, logged } = createScene();
    const none = { calls: [], rules: [] };

    expect(open().open({ ...record, grants: none })).toEqual(none);
    expect(open().open(record)).toBeUndefined();

    expect(lstatSync(keyPath, { throwIfNoEntry: false })).toBeUndefined();
    expect(logged).toEqual([]);
  });
});

describe('saved options', () => {
  const sealedOptions = (seal: GrantSeal, options = plainOptions): SessionRecord => {
    const optionsMac = seal.optionsMacOf({ sessionId: id, options });
    // As the next server reads it.
    return JSON.parse(JSON.stringify({ ...record, options, optionsMac })) as SessionRecord;
  };

  it('count again on the next server', () => {
    const { open, logged } = createScene();
    const options = { ...plainOptions, allowedTools: ['Bash'], model: undefined };

    expect(open().hasOwnOptions(sealedOptions(open(), options))).toBe(true);
    expect(logged).toEqual([]);
  });

  it.each<[string, (sealed: SessionRecord) => SessionRecord]>([
    ['another tool', (sealed) => ({ ...sealed, options: { ...plainOptions, allowedTools: ['Bash'] } })],
    ['another folder', (sealed) => ({ ...sealed, options: { ...plainOptions, cwd: '/elsewhere' } })],
    ['a list less', (sealed) => ({ ...sealed, options: { ...plainOptions, settingSources: [] } })],
    ['the MAC of another session', (sealed) => ({ ...sealed, sessionId: id.replace('1', '2') })],
    ['another MAC', (sealed) => ({ ...sealed, optionsMac: 'f'.repeat(64) })],
    ['no MAC, as version 0.1 wrote them', ({ optionsMac: _mac, ...sealed }) => sealed],
  ])('do not count with %s', (_what, change) => {
    const { open, logged } = createScene();

    expect(open().hasOwnOptions(change(sealedOptions(open())))).toBe(false);

    expect(logged).toEqual([
      'saved options of a session are not trusted, because their MAC is missing or wrong',
    ]);
  });
});

describe('the key of grants', () => {
  it.skipIf(process.platform === 'win32')('is created once, for its owner only', () => {
    const { open, keyPath } = createScene();

    sealedBy(open());
    const first = readFileSync(keyPath, 'utf8');
    sealedBy(open());

    expect(first).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readFileSync(keyPath, 'utf8')).toBe(first);
    expect(lstatSync(keyPath).mode & 0o777).toBe(0o600);
    expect(lstatSync(join(keyPath, '..')).mode & 0o777).toBe(0o700);
  });

  it('cannot be replaced: grants of another key are dropped', () => {
    const { open, keyPath } = createScene();
    const sealed = sealedBy(open());
    rmSync(keyPath);
    sealedBy(open());

    expect(open().open(sealed)).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32').each<[string, (path: string) => void]>([
    ['is a link', (path) => symlinkSync('/dev/zero', path)],
    ['is a folder', (path) => mkdirSync(path)],
    ['is writable by others', (path) => write(path, 0o620)],
    ['is readable by others', (path) => write(path, 0o644)],
    ['contains something else', (path) => writeFileSync(path, 'x', { mode: 0o600 })],
  ])('is not used if it %s: grants are neither saved nor restored', (_what, replace) => {
    const { open, keyPath, logged } = createScene();
    const sealed = sealedBy(open());
    rmSync(keyPath);
    replace(keyPath);
    const seal = open();

    expect(seal.macOf({ sessionId: id, cwd: plainOptions.cwd, grants })).toBeUndefined();
    expect(seal.macOf({ sessionId: id, cwd: plainOptions.cwd, grants })).toBeUndefined();
    expect(seal.open(sealed)).toBeUndefined();

    expect(logged).toEqual([
      'approvals and options of sessions cannot be sealed',
      'the key that seals approvals and options cannot be used',
      'saved approvals of a session were dropped, because their MAC is missing or wrong',
    ]);
  });
});

function write(path: string, mode: number): void {
  writeFileSync(path, `${'a'.repeat(64)}\n`);
  // The mode of a new file is masked.
  chmodSync(path, mode);
}
