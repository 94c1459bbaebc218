import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditSceneIn, type AuditScene } from './audit-scene.js';

/** One log in several files, harmed in many ways: each harm is found, and found at its place. */
let root = '';
let scene: AuditScene;
let names: string[] = [];
let originals: Buffer[] = [];

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'audit-property-')));
  mkdirSync(root, { recursive: true });
  scene = auditSceneIn(root);
  await scene.write(12, { maxBytes: 1_000 });
  names = readdirSync(root)
    .filter((name) => /^audit\.jsonl(\.\d+)?$/.test(name))
    .toSorted((a, b) => (b === 'audit.jsonl' ? -1 : a === 'audit.jsonl' ? 1 : a < b ? -1 : 1));
  originals = names.map((name) => readFileSync(join(root, name)));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The problem that a check finds with these bytes instead of the original ones. */
function problemWith(changed: readonly Buffer[]) {
  changed.forEach((bytes, index) => writeFileSync(join(root, names[index] ?? ''), bytes));
  const [problem] = scene.problems();
  originals.forEach((bytes, index) => writeFileSync(join(root, names[index] ?? ''), bytes));
  return problem;
}

const aFile = fc.nat({ max: 99 }).map((number) => number % originals.length);

function replaced(index: number, bytes: Buffer): Buffer[] {
  return originals.map((original, at) => (at === index ? bytes : original));
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').slice(0, -1);
}

function joined(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}

describe('verification of the audit log', () => {
  it('accepts an unchanged log', () => {
    expect(names.length).toBeGreaterThan(2);
    expect(problemWith(originals)).toBeUndefined();
  });

  it('finds any flipped bit, and reports its file and line', () => {
    fc.assert(
      fc.property(aFile, fc.nat(), fc.integer({ min: 0, max: 7 }), (file, at, bit) => {
        const bytes = Buffer.from(originals[file] ?? '');
        const place = at % bytes.length;
        const line = linesOf(bytes.subarray(0, place)).length + 1;
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);

        expect(problemWith(replaced(file, bytes))).toMatchObject({
          file: join(root, names[file] ?? ''),
          line,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('finds any removed line', () => {
    fc.assert(
      fc.property(aFile, fc.nat(), (file, at) => {
        const lines = linesOf(originals[file] ?? Buffer.alloc(0));
        lines.splice(at % lines.length, 1);

        expect(problemWith(replaced(file, joined(lines)))).toBeDefined();
      }),
    );
  });

  it('finds any repeated line, and any two swapped lines', () => {
    fc.assert(
      fc.property(aFile, fc.nat(), fc.nat(), fc.boolean(), (file, a, b, isTwice) => {
        const lines = linesOf(originals[file] ?? Buffer.alloc(0));
        const [first, second] = [a % lines.length, b % lines.length];
        const [one = '', other = ''] = [lines[first], lines[second]];
        fc.pre(isTwice || first !== second);
        if (isTwice) lines.splice(second, 0, one);
        else [lines[first], lines[second]] = [other, one];

        expect(problemWith(replaced(file, joined(lines)))).toBeDefined();
      }),
    );
  });

  it('finds any truncation: at the end, of whole files, in the middle of a line', () => {
    fc.assert(
      fc.property(aFile, fc.nat(), (file, at) => {
        const bytes = originals[file] ?? Buffer.alloc(0);
        const changed = originals.map((original, index) => {
          if (index < file) return original;
          return index > file ? Buffer.alloc(0) : bytes.subarray(0, at % bytes.length);
        });

        expect(problemWith(changed)).toBeDefined();
      }),
    );
  });
});
