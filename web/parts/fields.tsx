import type { JsonObject } from '../../src/core/json.js';
import { Code } from '../texts/code.js';

interface FieldsProps {
  readonly input: JsonObject;
  readonly isWhole?: boolean;
  readonly onWhole?: () => void;
}

/** Every key of a JSON object with its value. */
export function Fields({ input, ...fold }: FieldsProps) {
  const entries = Object.entries(input);
  if (entries.length === 0) return <p class="muted">No input.</p>;
  return (
    <dl class="fields">
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <Code text={fieldText(value)} {...fold} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'undefined');
}
