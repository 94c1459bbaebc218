import { useState } from 'preact/hooks';
import type { JsonObject } from '../../src/core/json.js';
import { Code } from '../texts/code.js';
import { isLong } from '../texts/fold.js';
import { count } from '../texts/time.js';

interface FieldsProps {
  readonly input: JsonObject;
  readonly isWhole?: boolean;
  readonly onWhole?: () => void;
}

/** Every key of a JSON object with its value. Many of them are folded like a long text. */
export function Fields({ input, isWhole, onWhole }: FieldsProps) {
  const [own, setOwn] = useState(false);
  const entries = Object.entries(input);
  if (entries.length === 0) return <p class="muted">No input.</p>;
  const shown = (isWhole ?? own) ? entries : firstOf(entries);
  return (
    <>
      <dl class="fields">
        {shown.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              <Code
                text={fieldText(value)}
                {...(isWhole !== undefined && { isWhole })}
                {...(onWhole !== undefined && { onWhole })}
              />
            </dd>
          </div>
        ))}
      </dl>
      {shown.length < entries.length && (
        <button type="button" class="unfold" onClick={onWhole ?? (() => setOwn(true))}>
          Show all {count(entries.length, 'field')}
        </button>
      )}
    </>
  );
}

/** Whether a part of it is folded at first. */
export function isLongInput(input: JsonObject): boolean {
  const entries = Object.entries(input);
  return firstOf(entries).length < entries.length || entries.some(([, value]) => isLong(fieldText(value)));
}

/** As many as would not be folded as one text, and at least one. */
function firstOf(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  let text = '';
  const end = entries.findIndex(([key, value], index) => {
    text += `${text === '' ? '' : '\n'}${key}\n${fieldText(value)}`;
    return index > 0 && isLong(text);
  });
  return end === -1 ? entries : entries.slice(0, end);
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'undefined');
}
