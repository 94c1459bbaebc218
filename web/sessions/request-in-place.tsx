import type { Settlement, TimelineEvent } from '../../src/page/contract.js';
import { RequestCard } from '../inbox/card.js';
import { answerer, outcome } from '../inbox/words.js';
import { useDesk, useDeskState } from '../live/context.js';
import { Icon } from '../parts/icons.js';
import { Summary } from '../parts/summary.js';
import { timeOfDay } from '../texts/time.js';

interface RequestInPlaceProps {
  readonly asked: Extract<TimelineEvent['body'], { readonly type: 'asked' }>;
  readonly settled: Settlement | undefined;
}

/** A request where it was asked: to answer while it is open, then one line. */
export function RequestInPlace({ asked, settled }: RequestInPlaceProps) {
  const desk = useDesk();
  const request = useDeskState((state) =>
    state.requests.find(({ card }) => card.requestId === asked.requestId),
  );
  const skew = useDeskState((state) => state.skew);
  const isStale = useDeskState((state) => state.isStale);
  const device = useDeskState((state) => state.me?.device.name);
  if (request !== undefined) {
    return (
      <div class="in-place">
        <RequestCard
          request={request}
          skew={skew}
          device={device}
          isStale={isStale}
          hasKeys={false}
          onAnswer={(answer) => void desk.answer(answer)}
        />
      </div>
    );
  }
  const icons = { allow: 'check', deny: 'cross', none: 'dot' } as const;
  return (
    <p class={`asked-line ${settled?.decision ?? 'open'}`}>
      <Icon name={settled === undefined ? 'question' : icons[settled.decision]} size={16} />
      <span>
        <Summary text={asked.summary} />
        <span class="muted">
          {settled === undefined
            ? 'Asked'
            : `${outcome(settled, asked.kind)} by ${answerer(settled, device)} at ${timeOfDay(settled.at)}`}
        </span>
      </span>
    </p>
  );
}
