import { useState } from 'preact/hooks';
import { beginning, isLong, sizeOf } from './fold.js';
import { VisibleText } from './visible-text.js';

interface CodeProps {
  readonly text: string;
  /** Whether long text is shown whole, if the owner wants to know. */
  readonly isWhole?: boolean;
  readonly onWhole?: () => void;
  readonly label?: string;
}

/** A block of exact text: wrapped, with visible hidden characters, folded if it is long. */
export function Code({ text, isWhole, onWhole, label }: CodeProps) {
  const [own, setOwn] = useState(false);
  const whole = isWhole ?? own;
  const isFolded = isLong(text) && !whole;
  return (
    <div class={`code${isFolded ? ' folded' : ''}`}>
      <pre dir="ltr" {...(label !== undefined && { 'aria-label': label, role: 'group' })}>
        <VisibleText text={isFolded ? beginning(text) : text} />
      </pre>
      {isFolded && (
        <button type="button" class="unfold" onClick={onWhole ?? (() => setOwn(true))}>
          Show all {sizeOf(text)}
        </button>
      )}
    </div>
  );
}
