/** Words of a shell: one list for each simple command. Knows quotes, comments, line ends with a backslash and operators. */
export function commandsOfScript(script: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  const end = (): void => {
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (const [token] of script.matchAll(tokens)) {
    if (operators.has(token)) end();
    else if (!token.startsWith('#') && token.trim() !== '' && token !== '\\\n') words.push(unquoted(token));
  }
  end();
  return commands;
}

const operators: ReadonlySet<string> = new Set(['\n', ';', '|', '||', '&&', '&']);

/** A line end, a continued line, space, a comment, an operator or a word. */
const tokens = /\\\n|\n|[ \t]+|#[^\n]*|&&|\|\||[;|]|(?:'[^']*'|"[^"]*"|\\.|&(?!&)|[^\s;|&'"\\])+/g;

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"([^"]*)"|\\(.)/g,
    (_all, single?: string, double?: string, escaped?: string) => single ?? double ?? escaped ?? '',
  );
}
