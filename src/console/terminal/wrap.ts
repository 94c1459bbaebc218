/** Breaks a text between words. A longer word gets a line of its own. */
export function wrap(text: string, columns: number | undefined): readonly string[] {
  if (columns === undefined) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Breaks each line of a text. */
export function wrapLines(text: string, columns: number | undefined): readonly string[] {
  return text.split('\n').flatMap((line) => wrap(line, columns));
}
