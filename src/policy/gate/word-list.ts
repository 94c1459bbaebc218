/** The words of a text, for tables that are long lists of words. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
