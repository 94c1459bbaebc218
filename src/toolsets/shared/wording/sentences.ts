/** Alternatives as one sentence: "Leave it out, or ask the operator to …". Undefined when there is none. */
export function either(...ways: readonly (string | undefined)[]): string | undefined {
  const possible = ways.filter((way) => way !== undefined);
  const last = possible.at(-1);
  if (last === undefined) return undefined;
  const others = possible.slice(0, -1);
  return `${capital(others.length === 0 ? last : `${others.join(', ')}, or ${last}`)}.`;
}

/** Several sentences as one text. */
export function sentences(...parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : said.join(' ');
}

/** For an answer that was not taken. */
export function stillOpen(text: string | undefined): string {
  return text === undefined
    ? 'The request is still open.'
    : `${text.replace(/\.$/, '')}; the request is still open.`;
}

/** A phrase that needs something which a toolset may not have. */
export function given<T>(value: T | undefined, phrase: (value: T) => string): string | undefined {
  return value === undefined ? undefined : phrase(value);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function askOperatorTo(what: string): string {
  return `ask the operator to ${what}`;
}
