import { existsSync, readFileSync } from 'node:fs';
import { followChain, missing, noHead, type ChainHead } from './chain.js';
import { lanePath, maxLanes, rotatedFiles } from './paths.js';
import { AuditSecrets } from './secrets.js';

/** One chain: the files of one server at a time, in their order. */
export interface ChainReport {
  readonly files: readonly string[];
  readonly lines: number;
  readonly head: ChainHead;
  /** The first line that is not as it was written; undefined when all of them are. */
  readonly problem: ChainProblem | undefined;
}

export interface ChainProblem {
  readonly file: string;
  /** In that file, from 1. */
  readonly line: number;
  readonly what: string;
}

export interface VerifySettings {
  readonly path: string;
  readonly stateDir: string;
  /** A head of the first chain that somebody has kept: the line it names must be there, or be the one before the first. */
  readonly keptHead?: ChainHead | undefined;
}

/** Undefined when there is no key to check with. */
export function verifyAudit({
  path,
  stateDir,
  keptHead,
}: VerifySettings): readonly ChainReport[] | undefined {
  const secrets = new AuditSecrets(stateDir);
  const key = secrets.readKey();
  if (key === undefined) return undefined;
  const lanes = Array.from({ length: maxLanes }, (_, index) => lanePath(path, index + 1));
  return lanes.flatMap((lane) => {
    const isKnown = secrets.readHead(lane) !== undefined || filesOf(lane).length > 0;
    const kept = lane === path ? keptHead : undefined;
    return isKnown ? [verifyChain(lane, () => ({ key, known: secrets.readHead(lane), kept }))] : [];
  });
}

function filesOf(lane: string): string[] {
  return [...rotatedFiles(lane), ...(existsSync(lane) ? [lane] : [])];
}

interface Known {
  readonly key: Buffer;
  /** Where the chain stood last, by what is kept beside the key. */
  readonly known: ChainHead | undefined;
  readonly kept: ChainHead | undefined;
}

/** A server may put a file aside while it is being read: then it is read again. */
function verifyChain(lane: string, knownNow: () => Known, triesLeft = 3): ChainReport {
  // Before the files: a server that writes meanwhile only adds to them.
  const known = knownNow();
  const files = filesOf(lane);
  const report = walkThrough(lane, files, known);
  const isDisturbed = report.problem !== undefined && filesOf(lane).join() !== files.join();
  return isDisturbed && triesLeft > 1 ? verifyChain(lane, knownNow, triesLeft - 1) : report;
}

function walkThrough(lane: string, files: readonly string[], known: Known): ChainReport {
  const walk = new Walk(known);
  for (const file of files) {
    const problem = walk.through(file, bytesOf(file));
    if (problem !== undefined) return walk.report(files, problem);
  }
  return walk.report(files, walk.endProblem(files.at(-1) ?? lane));
}

/** It may have been put aside since it was listed. */
function bytesOf(file: string): Buffer {
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
}

/** Goes along a chain, line by line. */
class Walk {
  readonly #settings: Known;
  #head = noHead;
  #lines = 0;
  /** Lines of the file it is in. */
  #inFile = 0;

  constructor(settings: Known) {
    this.#settings = settings;
  }

  through(file: string, bytes: Buffer): ChainProblem | undefined {
    this.#inFile = 0;
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(10, from);
      this.#inFile += 1;
      if (end < 0) return { file, line: this.#inFile, what: 'is cut off' };
      const what = this.#step(bytes.subarray(from, end));
      if (what !== undefined) return { file, line: this.#inFile, what };
      from = end + 1;
    }
    return undefined;
  }

  /** What is there must reach to where the chain is known to stand. */
  endProblem(file: string): ChainProblem | undefined {
    const { known, kept } = this.#settings;
    const line = this.#inFile + 1;
    if (known === undefined)
      return { file, line, what: 'may not be the end: nothing is known of where this log stood' };
    const end = Math.max(known.seq, kept?.seq ?? 0);
    if (this.#head.seq >= end) return undefined;
    return { file, line, what: `is where the end was cut off: ${missing(this.#head.seq + 1, end)}` };
  }

  report(files: readonly string[], problem: ChainProblem | undefined): ChainReport {
    return { files, lines: this.#lines, head: this.#head, problem };
  }

  #step(line: Buffer): string | undefined {
    const { key, known, kept } = this.#settings;
    let next = followChain(line, this.#head, key);
    // What was before it may have been moved away by somebody who has kept where it ended.
    if (typeof next === 'string' && this.#lines === 0 && kept !== undefined)
      next = followChain(line, kept, key);
    if (typeof next === 'string') return next;
    const { seq, mac } = next;
    if ([known, kept].some((head) => head?.seq === seq && head.mac !== mac))
      return 'is not the one that was here: its mark is another';
    this.#head = next;
    this.#lines += 1;
    return undefined;
  }
}
