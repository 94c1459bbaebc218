import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.js';

interface DenyFormProps {
  readonly label: string;
  readonly onDeny: (message: string) => void;
  readonly onCancel: () => void;
}

export function DenyForm({ label, onDeny, onCancel }: DenyFormProps) {
  const [message, setMessage] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="deny-form"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(message);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) onDeny(message);
      }}
    >
      <label>
        <span class="label">Message to Claude</span>
        <textarea
          ref={field}
          rows={3}
          placeholder="What should Claude do instead?"
          value={message}
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <Button onPress={onCancel}>Back</Button>
        <Button look="deny" onPress={() => onDeny(message)}>
          {label} with this message
        </Button>
      </div>
    </form>
  );
}
