import { useEffect, useRef } from 'preact/hooks';
import { Fields } from '../parts/fields.js';
import { lineCount } from '../texts/fold.js';
import type { Editable } from './editing.js';

interface EditorProps {
  readonly editable: Editable;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Edits what will run. Exactly this text is sent. */
export function Editor({ editable, text, onText }: EditorProps) {
  const { others } = editable;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <section class="what editor">
      <label>
        <span class="label">{editable.label}</span>
        <textarea
          ref={field}
          class="mono"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          dir="ltr"
          rows={Math.min(24, Math.max(4, lineCount(text) + 1))}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </label>
      {editable.isEscaped && (
        <p class="note">
          Hidden characters are shown as <code>\u{'{…}'}</code>. If you change a text that contains them,
          remove them. <code>\u{'{5c}'}</code> before <code>u{'{…}'}</code> is a backslash, and may stay.
        </p>
      )}
      {text === editable.text && <p class="muted">Not changed yet.</p>}
      {Object.keys(others).length > 0 && <Fields input={others} isWhole />}
    </section>
  );
}
