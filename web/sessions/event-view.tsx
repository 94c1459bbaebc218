import type { ComponentChildren } from 'preact';
import type { TimelineEvent } from '../../src/page/contract.js';
import { answerer, outcome } from '../inbox/words.js';
import { useDeskState } from '../live/context.js';
import { Icon } from '../parts/icons.js';
import { Markdown } from '../texts/markdown.js';
import { memo } from '../texts/memo.js';
import { timeOfDay } from '../texts/time.js';
import { VisibleText } from '../texts/visible-text.js';
import type { Item } from './items.js';
import { RequestInPlace } from './request-in-place.js';
import { ToolCallView } from './tool-call-view.js';
import { Unfoldable } from './unfoldable.js';

interface EventViewProps {
  readonly item: Item;
  readonly sessionId: string;
}

export const EventView = memo(function EventView({ item, sessionId }: EventViewProps) {
  const { event } = item;
  return (
    <Frame event={event}>
      <Body item={item} sessionId={sessionId} />
    </Frame>
  );
});

function Frame({ event, children }: { readonly event: TimelineEvent; readonly children: ComponentChildren }) {
  return (
    <div class={`event ${event.body.type}${event.agent === undefined ? '' : ' sub'}`}>
      {event.agent !== undefined && (
        <p class="agent-name">
          <Icon name="agent" size={14} /> {event.agent}
        </p>
      )}
      {children}
    </div>
  );
}

function Body({ item, sessionId }: EventViewProps) {
  const { body, at } = item.event;
  switch (body.type) {
    case 'prompt':
      return (
        <div class="prompt-text">
          <p class="who">
            Prompt <time>{timeOfDay(at)}</time>
          </p>
          <VisibleText text={body.text} />
        </div>
      );
    case 'text':
      return (
        <>
          <Markdown text={body.text} />
          <Shortened chars={body.chars} />
        </>
      );
    case 'thinking':
      return (
        <Unfoldable id={`thinking-${item.event.seq}`} head={<span class="muted">Thinking</span>}>
          <div class="thinking-text">
            <VisibleText text={body.text} />
            <Shortened chars={body.chars} />
          </div>
        </Unfoldable>
      );
    case 'tool_use':
      return <ToolCallView sessionId={sessionId} call={body} result={item.result} />;
    case 'tool_result':
      return (
        <p class="event-note">
          Result of an earlier call: <VisibleText text={body.text.slice(0, 200)} />
        </p>
      );
    case 'asked':
      return <RequestInPlace asked={body} settled={item.settled?.settlement} />;
    case 'settled':
      return <SettledLine item={item} />;
    case 'note':
      return (
        <p class="event-note">
          <VisibleText text={body.text} />
        </p>
      );
    case 'result':
      return <TurnEnd event={item.event} isError={body.isError} text={body.text} />;
  }
}

function SettledLine({ item }: { readonly item: Item }) {
  const device = useDeskState((state) => state.me?.device.name);
  const { body } = item.event;
  if (body.type !== 'settled') return null;
  return (
    <p class="event-note">
      {outcome(body.settlement)} by {answerer(body.settlement, device)}
    </p>
  );
}

function TurnEnd({ event, isError, text }: { event: TimelineEvent; isError: boolean; text: string }) {
  return (
    <>
      {isError ? (
        <p class="note bad">
          <VisibleText text={text} />
        </p>
      ) : (
        text !== '' && <Markdown text={text} />
      )}
      <p class="turn-end">
        <span>
          Turn {event.turn} {isError ? 'failed' : 'ended'} at {timeOfDay(event.at)}
        </span>
      </p>
    </>
  );
}

function Shortened({ chars }: { readonly chars: number | undefined }) {
  if (chars === undefined) return null;
  return <p class="event-note">Shortened from {chars.toLocaleString('en')} characters.</p>;
}
