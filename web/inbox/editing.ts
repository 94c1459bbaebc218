import { isObject, parseJson, type JsonObject } from '../../src/core/json.js';
import { escapedCharacter } from '../../src/core/text/escape.js';
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
  /** Whether some of the input was made visible, so that sending it back changes it. */
  readonly isEscaped: boolean;
  /** The input to send, or undefined if the text is not valid. */
  readonly toInput: (text: string) => JsonObject | undefined;
}

export function editableOf(card: Card): Editable {
  const isEscaped = escapedCharacter.test(JSON.stringify(card.input));
  if (card.what.type === 'plan') {
    const { markdown, more } = card.what;
    return { label: 'Plan', text: markdown, others: more, isEscaped, toInput: (plan) => ({ plan }) };
  }
  for (const [name, label] of textFields) {
    const { [name]: text, ...others } = card.input;
    if (typeof text === 'string') {
      return { label, text, others, isEscaped, toInput: (changed) => ({ ...card.input, [name]: changed }) };
    }
  }
  return {
    label: 'Input as JSON',
    text: JSON.stringify(card.input, undefined, 2),
    others: {},
    isEscaped,
    toInput: (text) => {
      const value = parseJson(text);
      return isObject(value) ? value : undefined;
    },
  };
}
