import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icons.js';

/** Remembered while the page is open, because events far away are not rendered. */
const unfolded = new Set<string>();

interface UnfoldableProps {
  readonly id: string;
  readonly head: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Unfoldable({ id, head, children }: UnfoldableProps) {
  const [isOpen, setOpen] = useState(unfolded.has(id));
  const toggle = (): void => {
    if (isOpen) unfolded.delete(id);
    else unfolded.add(id);
    setOpen(!isOpen);
  };
  return (
    <div class={`unfoldable${isOpen ? ' open' : ''}`}>
      <button type="button" class="unfold-head" aria-expanded={isOpen} onClick={toggle}>
        <Icon name="next" size={14} />
        {head}
      </button>
      {isOpen && <div class="unfold-body">{children}</div>}
    </div>
  );
}
