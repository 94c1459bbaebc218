import { useEffect, useRef } from 'preact/hooks';

export type Keys = Readonly<Record<string, () => unknown>>;

/** Shortcuts on the whole page. Fields, buttons and keys with modifiers keep their own meaning. */
export function useKeys(isActive: boolean, keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    if (!isActive) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const action = current.current[event.key];
      if (action === undefined || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isField(event.target) || (event.key === 'Enter' && isControl(event.target))) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isActive]);
}

function isField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'radio' && target.type !== 'checkbox';
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, summary') !== null;
}
