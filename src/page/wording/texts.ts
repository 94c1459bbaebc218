import type { JsonObject } from '../../core/json.js';
import { escapeHidden } from '../../core/text/escape.js';
import { mapTexts } from '../../core/text/map-texts.js';

/** A text of Claude, a caller or a file, in which every character can be seen. */
export function visible(text: string): string {
  return escapeHidden(text);
}

/** The same for every text in a value. */
export function visibleIn(value: JsonObject): JsonObject {
  return mapTexts(value, escapeHidden) as JsonObject;
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
