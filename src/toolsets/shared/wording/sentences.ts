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
  const present = parts.filter((part) => part !== undefined);
  return present.length === 0 ? undefined : present.join(' ');
}

/** For an answer that was rejected. */
export function stillOpen(text: string | undefined): string {
  return text === undefined
    ? 'The request is still open.'
    : `${text.replace(/\.$/, '')}; the request is still open.`;
}

/** After a key that does not fit: the keys that do. */
export function acceptedOnly(keys: readonly string[]): string {
  return keys.length === 0 ? 'Leave it out.' : `Use only ${keys.join(', ')}.`;
}

/** A phrase that needs something that a toolset may lack. */
export function given<T>(value: T | undefined, phrase: (value: T) => string): string | undefined {
  return value === undefined ? undefined : phrase(value);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function askOperatorTo(what: string): string {
  return `ask the operator to ${what}`;
}
