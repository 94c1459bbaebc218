import type { JsonObject } from '../../core/json.js';
import { escapeForApprover } from '../../core/text/approver-text.js';
import { escapeHidden } from '../../core/text/escape.js';
import { mapTexts } from '../../core/text/map-texts.js';

/** A text in which every character can be seen. It may be one that is visible already. */
export function visible(text: string): string {
  return escapeHidden(text);
}

/** An original text by which a person decides: different ones never become the same characters. */
export function exact(text: string): string {
  return escapeForApprover(text);
}

/** The same for every text in a value. */
export function exactIn(value: JsonObject): JsonObject {
  return mapTexts(value, escapeForApprover) as JsonObject;
}

/** Output of programs. Line ends of Windows are normal there, so they are not marked. */
export function visibleOutput(text: string): string {
  return escapeHidden(text.replaceAll('\r\n', '\n'));
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out keys without a value. */
export function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;
}
