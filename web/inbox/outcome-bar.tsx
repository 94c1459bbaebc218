import { useEffect, useRef } from 'preact/hooks';
import type { Request } from '../live/state.js';
import { Button } from '../parts/button.js';
import { Icon, type IconName } from '../parts/icons.js';
import { timeOfDay } from '../texts/time.js';
import { answerer, outcome } from './words.js';

interface OutcomeBarProps {
  readonly request: Request;
  readonly device: string | undefined;
  readonly onNext: (() => void) | undefined;
}

/** What became of a request: sent, settled and by whom. Takes the place of the buttons. */
export function OutcomeBar({ request, device, onNext }: OutcomeBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  // The pressed button is gone, and the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body) bar.current?.focus();
  }, [request.phase]);
  const { icon, look, text, detail } = describe(request, device);
  return (
    <div class={`answer-bar outcome ${look}`} role="status" tabIndex={-1} ref={bar}>
      <Icon name={icon} size={22} />
      <p>
        <strong>{text}</strong>
        <span>{detail}</span>
      </p>
      {onNext !== undefined && request.phase !== 'sent' && (
        <Button onPress={onNext} look="primary" shortcut="j">
          Next request
        </Button>
      )}
    </div>
  );
}

interface Description {
  readonly icon: IconName;
  readonly look: 'busy' | 'good' | 'bad' | 'neutral';
  readonly text: string;
  readonly detail: string;
}

function describe({ card, phase, settlement, error }: Request, device: string | undefined): Description {
  if (phase === 'sent')
    return { icon: 'send', look: 'busy', text: 'Sent', detail: 'Waiting for the server…' };
  if (settlement === undefined) {
    return {
      icon: 'dot',
      look: 'neutral',
      text: 'No longer open',
      detail: 'It was answered or withdrawn while this page was disconnected.',
    };
  }
  const who = `By ${answerer(settlement, device)} at ${timeOfDay(settlement.at)}`;
  const done = outcome(settlement, card.kind);
  if (error !== undefined) {
    return { icon: 'clock', look: 'neutral', text: `Too late: already ${done.toLowerCase()}`, detail: who };
  }
  const looks = { allow: 'good', deny: 'bad', none: 'neutral' } as const;
  const icons = { allow: 'check', deny: 'cross', none: 'dot' } as const;
  return { icon: icons[settlement.decision], look: looks[settlement.decision], text: done, detail: who };
}
