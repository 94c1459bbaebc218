import { existsSync, readFileSync } from 'node:fs';
import { followChain, missing, noHead, splitLines, type ChainHead } from './chain.js';
import { filesOf } from './file.js';
import { lanesOf } from './lanes.js';
import { AuditSecrets } from './secrets.js';

/** One chain: the files of one lane, oldest first. */
export interface ChainReport {
  readonly files: readonly string[];
  readonly lines: number;
  readonly head: ChainHead;
  /** The first line that was changed. */
  readonly problem: ChainProblem | undefined;
}

export interface ChainProblem {
  readonly file: string;
  /** Within that file, starting at 1. */
  readonly line: number;
  readonly what: string;
}

export interface VerifySettings {
  readonly path: string;
  readonly stateDir: string;
  /** A head of the first chain, from the server log. Its line must exist, or directly precede the first line. */
  readonly keptHead?: ChainHead | undefined;
}

/** Undefined when no key exists to check with. */
export function verifyAudit({
  path,
  stateDir,
  keptHead,
}: VerifySettings): readonly ChainReport[] | undefined {
  const secrets = new AuditSecrets(stateDir);
  const key = secrets.readKey();
  if (key === undefined) return undefined;
  return lanesOf(path).flatMap((lane) => {
    const isKnown = secrets.readHead(lane) !== undefined || filesOf(lane).length > 0;
    const kept = lane === path ? keptHead : undefined;
    return isKnown ? [verifyChain(lane, () => ({ key, known: secrets.readHead(lane), kept }))] : [];
  });
}

interface Known {
  readonly key: Buffer;
  /** The head stored next to the key. */
  readonly known: ChainHead | undefined;
  readonly kept: ChainHead | undefined;
}

/** Starts again if a server rotates the file during the check. */
function verifyChain(lane: string, readKnown: () => Known, triesLeft = 3): ChainReport {
  // Read before the files, because a server that writes meanwhile only adds lines.
  const known = readKnown();
  const files = filesOf(lane);
  const report = checkLines(lane, files, known);
  const isDisturbed = report.problem !== undefined && filesOf(lane).join() !== files.join();
  return isDisturbed && triesLeft > 1 ? verifyChain(lane, readKnown, triesLeft - 1) : report;
}

function checkLines(lane: string, files: readonly string[], known: Known): ChainReport {
  let [head, lines, line] = [noHead, 0, 0];
  const report = (file: string, what: string | undefined): ChainReport => ({
    files,
    lines,
    head,
    problem: what === undefined ? undefined : { file, line, what },
  });
  for (const file of files) {
    // It may have been rotated since it was listed.
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const { lines: found, end } = splitLines(bytes);
    line = 0;
    for (const text of found) {
      line += 1;
      const next = checkLine(text, lines === 0, head, known);
      if (typeof next === 'string') return report(file, next);
      head = next;
      lines += 1;
    }
    line += 1;
    if (end < bytes.length) return report(file, 'is incomplete');
  }
  line = Math.max(line, 1);
  return report(files.at(-1) ?? lane, endProblem(head, known));
}

/** The head after this line, or a description of the problem. */
function checkLine(
  line: Buffer,
  isFirst: boolean,
  before: ChainHead,
  { key, known, kept }: Known,
): ChainHead | string {
  let next = followChain(line, before, key);
  // The operator may have moved older files away and kept the head at which they ended.
  if (typeof next === 'string' && isFirst && kept !== undefined) next = followChain(line, kept, key);
  if (typeof next === 'string') return next;
  const { seq, mac } = next;
  const isReplaced = [known, kept].some((head) => head?.seq === seq && head.mac !== mac);
  return isReplaced ? 'was replaced: its MAC differs from the stored one' : next;
}

/** The lines must reach both the stored head and the kept head. */
function endProblem({ seq }: ChainHead, { known, kept }: Known): string | undefined {
  if (known === undefined) return 'is where the log ends, but the state folder has no head to confirm it';
  const end = Math.max(known.seq, kept?.seq ?? 0);
  return seq >= end ? undefined : `is where the log ends, but ${missing(seq + 1, end)}`;
}
