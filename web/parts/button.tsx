import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onPress: () => void;
  readonly look?: 'allow' | 'session' | 'deny' | 'primary' | 'quiet' | 'plain';
  /** Stays focusable, so that a screen reader can say why nothing happens. */
  readonly inert?: boolean;
  readonly describedBy?: string;
  readonly label?: string;
  readonly shortcut?: string;
  readonly expanded?: boolean;
  readonly small?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, onPress, look = 'plain', inert = false, small = false } = props;
  return (
    <button
      type="button"
      class={`button ${look}${small ? ' small' : ''}`}
      aria-disabled={inert}
      {...(props.describedBy !== undefined && { 'aria-describedby': props.describedBy })}
      {...(props.label !== undefined && { 'aria-label': props.label })}
      {...(props.expanded !== undefined && { 'aria-expanded': props.expanded })}
      {...(props.shortcut !== undefined && { 'aria-keyshortcuts': props.shortcut })}
      onClick={() => {
        if (!inert) onPress();
      }}
      onKeyDown={(event) => {
        // A held Enter key must not press what appears next.
        if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
      }}
    >
      {children}
    </button>
  );
}
