/** A word as a shell reads it. Control characters are written as bash and zsh read them, so that a terminal shows them. */
export function shellWord(word: string): string {
  if (/^[\w./:@%+=-]+$/.test(word)) return word;
  if (!/\p{Cc}/u.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  const escaped = word
    .replaceAll(/['\\]/g, String.raw`\$&`)
    .replaceAll(/\p{Cc}/gu, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}
