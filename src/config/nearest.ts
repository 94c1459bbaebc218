/** The known word that was most likely meant; undefined when none is within `limit` edits. */
export function nearest<K extends string>(word: string, known: Iterable<K>, limit: number): K | undefined {
  let best: K | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    // A length that differs by more cannot be reached with fewer edits.
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** The typos we guess at in a word of this length: about one in three characters, two at least. */
export function guessLimit(word: string): number {
  return Math.max(2, Math.floor(word.length / 3));
}

/** How many characters must be added, dropped or replaced to get from one word to the other. */
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
