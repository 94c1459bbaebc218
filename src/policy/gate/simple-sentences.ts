/** No shell, and no option of one, gives a character of these words a meaning of its own. */
const plainWord = /^[A-Za-z0-9_./-][A-Za-z0-9_./:@,+=-]*$/;

/** After its words, a command may discard its errors, or join them with its output. */
const endings: ReadonlySet<string> = new Set(['2>/dev/null', '2>&1']);

/** Between two commands. */
const joints: ReadonlySet<string> = new Set(['&&', '|']);

const longestLine = 10_000;

/** The words of each command in a line that every shell reads in the same way; undefined if it is any other line. */
export function simpleSentences(line: string): readonly (readonly string[])[] | undefined {
  if (line.length > longestLine) return undefined;
  const sentences: string[][] = [[]];
  let isEnded = false;
  for (const word of line.split(' ')) {
    const sentence = sentences.at(-1);
    if (sentence === undefined) return undefined;
    if (joints.has(word)) {
      sentences.push([]);
      isEnded = false;
    } else if (endings.has(word)) isEnded = true;
    else if (isEnded || !plainWord.test(word)) return undefined;
    else sentence.push(word);
  }
  return sentences.every(([program]) => program !== undefined && !/^-|=/.test(program))
    ? sentences
    : undefined;
}
