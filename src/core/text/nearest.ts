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

/** The number of typos to accept in a word: one per three characters, at least two. */
export function guessLimit(word: string): number {
  return Math.max(2, Math.floor(word.length / 3));
}

/** Levenshtein distance. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** A name as people compare it: `session_id`, `SessionID` and `sessionId` are the same. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}
