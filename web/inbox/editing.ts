import { isObject, parseJson, type JsonObject } from '../../src/core/json.js';
import { firstEscape } from '../../src/core/text/approver-text.js';
import type { Card } from '../../src/page/contract.js';

/** The part of an input that a person edits as text. Without one, the whole input is edited as JSON. */
const textFields: readonly (readonly [name: string, label: string])[] = [
  ['command', 'Command'],
  ['new_string', 'New text'],
  ['content', 'Content of the file'],
  ['new_source', 'New source of the cell'],
  ['plan', 'Plan'],
];

export interface Editable {
  readonly label: string;
  readonly text: string;
  /** The rest of the input, which runs as it is. */
  readonly others: JsonObject;
  /** Hidden characters of this text are displayed as escapes, or backslashes that would look like one. */
  readonly isEscaped: boolean;
  /** The server checks each text of the input on its own. */
  readonly isJson?: true;
  /** The input to send, or undefined if the text is not valid. */
  readonly toInput: (text: string) => JsonObject | undefined;
}

/** Why this text cannot run. The escapes would run as letters. */
export function problemOf(
  { text, isEscaped, isJson, toInput }: Editable,
  edited: string,
): string | undefined {
  if (edited === text) return undefined;
  if (toInput(edited) === undefined) return 'This is not a JSON object.';
  const escape = isEscaped && !isJson ? firstEscape(edited) : undefined;
  return escape && `Hidden characters cannot be edited. Remove ${escape}, or discard your changes.`;
}

export function editableOf(card: Card): Editable {
  const { escaped = [] } = card;
  if (card.what.type === 'plan') {
    const { markdown, more } = card.what;
    const isEscaped = escaped.includes('plan');
    return { label: 'Plan', text: markdown, others: more, isEscaped, toInput: (plan) => ({ plan }) };
  }
  for (const [name, label] of textFields) {
    const { [name]: text, ...others } = card.input;
    if (typeof text === 'string') {
      const isEscaped = escaped.includes(name);
      return { label, text, others, isEscaped, toInput: (changed) => ({ ...card.input, [name]: changed }) };
    }
  }
  return {
    label: 'Input as JSON',
    text: JSON.stringify(card.input, undefined, 2),
    others: {},
    isEscaped: escaped.length > 0,
    isJson: true,
    toInput: (text) => {
      const value = parseJson(text);
      return isObject(value) ? value : undefined;
    },
  };
}
