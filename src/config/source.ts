/** Where a value came from: the name is that of the file, the variable or the flag. */
export type Source =
  { readonly kind: 'default' } | { readonly kind: 'file' | 'environment' | 'flag'; readonly name: string };

/** For people: `environment CLAUDE_CODE_MCP_MAX_SESSIONS`. */
export function describeSource(source: Source): string {
  return source.kind === 'default' ? source.kind : `${source.kind} ${source.name}`;
}

/** The place a person must go to in order to change the value: what an error about it begins with. */
export function placeOf(key: string, source: Source): string {
  if (source.kind === 'default') return key;
  return source.kind === 'file' ? `${source.name}: ${key}` : source.name;
}
