/** The closest known word. Undefined when none is within `limit` edits. */
export function nearest<K extends string>(word: string, known: Iterable<K>, limit: number): K | undefined {
  let best: K | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    // Words need at least as many edits as their lengths differ.
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** The number of typos to accept in a word: one per three characters, at least one. */
export function guessLimit(word: string): number {
  return Math.max(1, Math.floor(word.length / 3));
}

/** Levenshtein distance, in which two neighbors that have changed places are one edit. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  let last: readonly number[] = [];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (last[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [last, row] = [row, next];
  }
  return row[to.length] ?? 0;
}

/** A name as people compare it: `session_id`, `SessionID` and `sessionId` are the same. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}
