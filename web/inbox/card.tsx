import { useMemo, useRef, useState } from 'preact/hooks';
import type { Card, PersonAnswer } from '../../src/page/contract.js';
import type { Request } from '../live/state.js';
import { Countdown } from '../parts/countdown.js';
import { Icon } from '../parts/icons.js';
import { Summary } from '../parts/summary.js';
import { ago, useNow } from '../texts/time.js';
import { VisibleText } from '../texts/visible-text.js';
import { AnswerBar } from './answer-bar.js';
import { Editor } from './editor.js';
import { editableOf, problemOf } from './editing.js';
import { Facts } from './facts.js';
import { NextMode } from './next-mode.js';
import { OutcomeBar } from './outcome-bar.js';
import { Questions, type Answers } from './questions.js';
import { useInert } from './use-inert.js';
import { WhatView, isFoldable } from './what.js';
import { kindOf, modeName } from './words.js';

export interface CardProps {
  readonly request: Request;
  /** Server time minus local time. */
  readonly skew: number;
  /** The name of this device. */
  readonly device: string | undefined;
  readonly isStale: boolean;
  /** Whether the shortcuts act on this card. */
  readonly hasKeys: boolean;
  readonly sessionHref?: string;
  readonly onAnswer: (answer: PersonAnswer) => void;
  /** Leads to the next open request. */
  readonly onNext?: () => void;
}

/** One request with everything that a person needs to decide. Knows nothing of the server. */
export function RequestCard(props: CardProps) {
  const { request, skew, isStale } = props;
  const { card, phase } = request;
  const [isWhole, setWhole] = useState(false);
  const [edit, setEdit] = useState<string>();
  const [answers, setAnswers] = useState<Answers>();
  const [nextMode, setNextMode] = useState(card.nextModes?.[0]);
  const title = useRef<HTMLHeadingElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { isInert, hasMoved } = useInert(
    useMemo(() => JSON.stringify(card), [card]),
    bar,
  );
  const editable = useMemo(() => editableOf(card), [card]);
  const isFolded = useMemo(() => isFoldable(card.what), [card]) && !isWhole;
  const input = edit === undefined || edit === editable.text ? undefined : editable.toInput(edit);
  const isOpen = phase === 'open';

  const blocker = ((): string | undefined => {
    if (isStale) return 'Not connected. Allow works again once the page is up to date.';
    if (isFolded) return 'Show all of it before you allow it.';
    const problem = edit === undefined ? undefined : problemOf(editable, edit);
    if (problem !== undefined) return problem;
    if (card.what.type === 'questions' && answers === undefined) return 'Answer every question.';
    return undefined;
  })();

  const allow = (decision: 'allow' | 'allow_for_session'): void => {
    if (hasMoved()) return;
    props.onAnswer({
      requestId: card.requestId,
      decision,
      ...(input !== undefined && { input }),
      ...(card.what.type === 'questions' && answers !== undefined && { answers }),
      ...(nextMode !== undefined && { nextMode }),
    });
  };
  const deny = (message: string): void =>
    props.onAnswer({
      requestId: card.requestId,
      decision: 'deny',
      ...(message.trim() !== '' && { message: message.trim() }),
    });

  return (
    <article
      class={`card ${phase}`}
      aria-labelledby={`title-${card.requestId}`}
      data-request={card.requestId}
    >
      <div class="card-body">
        <CardHead card={card} skew={skew} isOpen={isOpen || phase === 'sent'} />
        <h2 id={`title-${card.requestId}`} class="card-title" tabIndex={-1} ref={title}>
          <Summary text={card.summary} />
        </h2>
        <CardOrigin card={card} skew={skew} href={props.sessionHref} />
        {edit !== undefined && isOpen ? (
          <Editor editable={editable} text={edit} onText={setEdit} />
        ) : card.what.type === 'questions' ? (
          <Questions
            requestId={card.requestId}
            questions={card.what.questions}
            isLocked={!isOpen}
            onChange={setAnswers}
          />
        ) : (
          <WhatView what={card.what} isWhole={isWhole} onWhole={() => setWhole(true)} />
        )}
        <Facts card={card} />
        {isOpen && nextMode !== undefined && card.nextModes !== undefined && card.nextModes.length > 1 && (
          <NextMode requestId={card.requestId} modes={card.nextModes} mode={nextMode} onMode={setNextMode} />
        )}
      </div>
      {isOpen ? (
        <AnswerBar
          place={bar}
          card={card}
          error={request.error}
          isInert={isInert}
          blocker={blocker}
          hint={hintFor(card, nextMode)}
          isEdited={input !== undefined}
          isEditing={edit !== undefined}
          isFolded={isFolded}
          hasKeys={props.hasKeys}
          onAllow={allow}
          onDeny={deny}
          onEdit={() => setEdit(editable.text)}
          onStopEditing={() => {
            setEdit(undefined);
            title.current?.focus();
          }}
        />
      ) : (
        <OutcomeBar request={request} device={props.device} onNext={props.onNext} />
      )}
    </article>
  );
}

function hintFor({ what, folder }: Card, nextMode: string | undefined): string {
  if (nextMode !== undefined) return `Then: ${modeName(nextMode)}`;
  return what.type === 'questions' || folder === '' ? 'The session is waiting for you.' : `Runs in ${folder}`;
}

function CardHead({ card, skew, isOpen }: { card: Card; skew: number; isOpen: boolean }) {
  const { name, icon } = kindOf(card);
  return (
    <p class="card-head">
      <span class="kind">
        <Icon name={icon} size={16} />
        {name}
      </span>
      {isOpen && <Countdown askedAt={card.askedAt} expiresAt={card.expiresAt} skew={skew} />}
    </p>
  );
}

function CardOrigin({ card, skew, href }: { card: Card; skew: number; href: string | undefined }) {
  const now = useNow(10_000) + skew;
  const name = <VisibleText text={card.sessionTitle || card.sessionId} />;
  return (
    <dl class="origin">
      <div>
        <dt>Session</dt>
        <dd>{href === undefined ? name : <a href={href}>{name}</a>}</dd>
      </div>
      {card.agent !== undefined && (
        <div>
          <dt>Asked by</dt>
          <dd>subagent {card.agent}</dd>
        </div>
      )}
      {card.folder !== '' && (
        <div>
          <dt>Folder</dt>
          <dd class="mono">
            <VisibleText text={card.folder} />
          </dd>
        </div>
      )}
      <div>
        <dt>Asked</dt>
        <dd>{ago(card.askedAt, now)}</dd>
      </div>
    </dl>
  );
}
