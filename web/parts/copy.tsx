import { useState } from 'preact/hooks';
import { Button } from './button.js';
import { Icon } from './icons.js';

/** Copies a text. Outside a secure context browsers forbid it, and the person selects the text. */
export function CopyText({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  const words = { ready: 'Copy', copied: 'Copied', refused: 'Select the text to copy it' };
  return (
    <span class="copy">
      <code>{text}</code>
      <Button
        small
        label={state === 'ready' ? label : words[state]}
        onPress={() =>
          void copy(text).then(
            () => setState('copied'),
            () => setState('refused'),
          )
        }
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} size={16} /> {words[state]}
      </Button>
    </span>
  );
}

async function copy(text: string): Promise<void> {
  if (!globalThis.isSecureContext) throw new Error('Copying needs a secure context.');
  await navigator.clipboard.writeText(text);
}
