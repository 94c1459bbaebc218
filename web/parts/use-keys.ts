import { useLayoutEffect, useRef } from 'preact/hooks';

export type Keys = Readonly<Record<string, () => unknown>>;

/** The first key of a shortcut with two, such as `g i`. */
const prefix = 'g';
const prefixMs = 1500;
let prefixAt = -Infinity;

/**
 * Shortcuts on the whole page. Fields, buttons and keys with modifiers keep their own meaning. A name of two letters
 * begins with the prefix.
 */
export function useKeys(isActive: boolean, keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useLayoutEffect(() => {
    if (!isActive) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isBusy(event)) return;
      const isSecond = event.timeStamp - prefixAt < prefixMs && event.timeStamp !== prefixAt;
      if (event.key === prefix) prefixAt = event.timeStamp;
      // After the other listeners, which see the same key.
      else setTimeout(() => (prefixAt = -Infinity));
      const action = current.current[isSecond ? `${prefix}${event.key}` : event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isActive]);
}

/** Whether the key belongs to the element that has the focus, or to a dialog. */
function isBusy({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  if (target instanceof HTMLInputElement) {
    return (target.type !== 'radio' && target.type !== 'checkbox') || key.startsWith('Arrow');
  }
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return key === 'Enter' && target instanceof Element && target.closest('button, a, summary') !== null;
}
