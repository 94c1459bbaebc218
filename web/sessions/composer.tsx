import { useState } from 'preact/hooks';
import type { NewPrompt, PageError, SessionDetails } from '../../src/page/contract.js';
import { errorOf } from '../live/calls.js';
import { useDesk, useDeskState } from '../live/context.js';
import { Icon } from '../parts/icons.js';
import { VisibleText } from '../texts/visible-text.js';
import { Failed } from '../parts/failed.js';
import { StaleNote } from '../parts/stale-note.js';

const noteId = 'composer-stale';

interface ComposerProps {
  readonly details: SessionDetails;
  readonly onSent: () => void;
}

/** Sends a prompt: at once when idle, else into the running turn or after it. */
export function Composer({ details, onSent }: ComposerProps) {
  const desk = useDesk();
  const isStale = useDeskState((state) => state.isStale);
  const [prompt, setPrompt] = useState('');
  const [whenBusy, setWhenBusy] = useState<NewPrompt['whenBusy']>('steer');
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<PageError>();
  const { row, queued, may } = details;
  const isBusy = row.status === 'running' || row.status === 'waiting';
  const canSend = prompt.trim() !== '' && !isSending && !isStale;

  const send = (): void => {
    if (!canSend) return;
    setSending(true);
    setError(undefined);
    void desk
      .call('reply', { sessionId: row.sessionId, prompt, whenBusy })
      .then(() => {
        setPrompt('');
        onSent();
      })
      .catch((thrown: unknown) => setError(errorOf(thrown)))
      .finally(() => setSending(false));
  };
  if (!may.reply) return null;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {queued.length > 0 && (
        <ol class="queued" aria-label="Queued prompts">
          {queued.map((text, index) => (
            <li key={index}>
              <span class="tag">Queued</span> <VisibleText text={text} />
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && <Failed error={error} />}
      {isStale && <StaleNote id={noteId} actions="You can send a prompt" />}
      <div class="composer-box">
        <textarea
          rows={2}
          aria-label="Prompt"
          placeholder={isBusy ? 'Add to what Claude is doing…' : 'What should Claude do next?'}
          value={prompt}
          onInput={(event) => setPrompt(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) send();
          }}
        />
        <div class="composer-line">
          {isBusy && <WhenBusy value={whenBusy} onChange={setWhenBusy} />}
          <span class="space" />
          <button
            type="submit"
            class="button primary small"
            aria-disabled={!canSend}
            {...(isStale && { 'aria-describedby': noteId })}
          >
            <Icon name="send" size={16} />
            {isBusy ? (whenBusy === 'steer' ? 'Steer' : 'Queue') : 'Send'}
          </button>
        </div>
      </div>
    </form>
  );
}

const choices = [
  { value: 'steer', name: 'Now', hint: 'Reaches the running turn at once' },
  { value: 'queue', name: 'After this turn', hint: 'Waits for the end of the turn' },
] as const;

interface WhenBusyProps {
  readonly value: NewPrompt['whenBusy'];
  readonly onChange: (value: NewPrompt['whenBusy']) => void;
}

function WhenBusy({ value, onChange }: WhenBusyProps) {
  return (
    <div class="segments" role="group" aria-label="When Claude gets it">
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          title={choice.hint}
          aria-pressed={value === choice.value}
          onClick={() => onChange(choice.value)}
        >
          {choice.name}
        </button>
      ))}
    </div>
  );
}
