import type { Card } from '../../src/page/contract.js';
import { isObject, parseJson, type JsonObject } from '../../src/core/json.js';

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
  /** The input to send, or undefined if the text is not valid. */
  readonly toInput: (text: string) => JsonObject | undefined;
}

export function editableOf(card: Card): Editable {
  if (card.what.type === 'plan') {
    return { label: 'Plan', text: card.what.markdown, toInput: (plan) => ({ plan }) };
  }
  for (const [name, label] of textFields) {
    const text = card.input[name];
    if (typeof text === 'string') {
      return { label, text, toInput: (changed) => ({ ...card.input, [name]: changed }) };
    }
  }
  return {
    label: 'Input as JSON',
    text: JSON.stringify(card.input, undefined, 2),
    toInput: (text) => {
      const value = parseJson(text);
      return isObject(value) ? value : undefined;
    },
  };
}
