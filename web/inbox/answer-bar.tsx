import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Card, PageError } from '../../src/page/contract.js';
import { Button } from '../parts/button.js';
import { useKeys } from '../parts/use-keys.js';
import { wordsFor, type AnswerWords } from './answer-words.js';
import { DenyForm } from './deny-form.js';
import { useArmed, type Armed } from './use-armed.js';

interface AnswerBarProps {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly card: Card;
  readonly error: PageError | undefined;
  readonly isInert: boolean;
  /** Why the request cannot be allowed now. It can always be denied. */
  readonly blocker: string | undefined;
  /** What a person should know before pressing a button. */
  readonly hint: string;
  readonly isEdited: boolean;
  readonly isEditing: boolean;
  /** Then it cannot be edited either, because an editor shows the text without the diff. */
  readonly isFolded: boolean;
  readonly hasKeys: boolean;
  readonly onAllow: (decision: 'allow' | 'allow_for_session') => void;
  readonly onDeny: (message: string) => void;
  readonly onEdit: () => void;
  readonly onStopEditing: () => void;
}

export function AnswerBar(props: AnswerBarProps) {
  const { card, blocker, isEditing, error, onDeny } = props;
  const [isDenying, setDenying] = useState(false);
  const [armed, arm] = useArmed(props.isInert || blocker !== undefined);
  const words = wordsFor(card, props.isEdited);
  const maySession = card.accepts.includes('allow_for_session') && !isEditing;
  const mayEdit = card.mayEdit && card.what.type !== 'questions' && !isEditing;

  // No single key allows: a and s prepare, and Enter confirms.
  useKeys(props.hasKeys && !isDenying, {
    a: () => arm('allow'),
    s: () => maySession && arm('allow_for_session'),
    d: () => setDenying(true),
    e: () => mayEdit && !props.isFolded && props.onEdit(),
    ...(armed !== undefined && { Enter: () => props.onAllow(armed), Escape: () => arm(undefined) }),
  });

  if (isDenying) {
    return (
      <div class="answer-bar" ref={props.place}>
        <DenyForm label={words.deny} onDeny={onDeny} onCancel={() => setDenying(false)} />
      </div>
    );
  }
  return (
    <div class="answer-bar" ref={props.place}>
      <p
        id={`hint-${card.requestId}`}
        class={`bar-hint${error === undefined ? '' : ' error'}${armed === undefined ? '' : ' armed'}`}
        role={error === undefined ? undefined : 'alert'}
        aria-live="polite"
      >
        {hintFor(props, armed, words)}
      </p>
      <MainButtons {...props} armed={armed} words={words} maySession={maySession} />
      <div class="more-buttons">
        <Button look="quiet" small onPress={() => setDenying(true)} shortcut="d">
          {words.denyWith}
        </Button>
        {mayEdit && (
          <Button
            look="quiet"
            small
            onPress={props.onEdit}
            shortcut="e"
            inert={props.isFolded}
            describedBy={`hint-${card.requestId}`}
          >
            {words.edit}
          </Button>
        )}
        {isEditing && (
          <Button look="quiet" small onPress={props.onStopEditing}>
            Discard changes
          </Button>
        )}
      </div>
    </div>
  );
}

interface MainButtonsProps extends AnswerBarProps {
  readonly armed: Armed;
  readonly words: AnswerWords;
  readonly maySession: boolean;
}

/** Deny comes first in the order of the Tab key, and does not wait. */
function MainButtons({
  card,
  armed,
  words,
  maySession,
  isInert,
  blocker,
  onAllow,
  onDeny,
}: MainButtonsProps) {
  const common = { inert: isInert || blocker !== undefined, describedBy: `hint-${card.requestId}` };
  return (
    <div class="buttons">
      <Button look="deny" onPress={() => onDeny('')}>
        {words.deny}
      </Button>
      {maySession && (
        <Button {...common} look="session" shortcut="s" onPress={() => onAllow('allow_for_session')}>
          {armed === 'allow_for_session' ? 'Press Enter' : 'Allow for this session'}
        </Button>
      )}
      {card.accepts.includes('allow') && (
        <Button {...common} look="allow" shortcut="a" onPress={() => onAllow('allow')}>
          {armed === 'allow' ? 'Press Enter' : words.allow}
        </Button>
      )}
    </div>
  );
}

function hintFor({ error, blocker, hint }: AnswerBarProps, armed: Armed, words: AnswerWords): string {
  if (error !== undefined) return error.message;
  if (blocker !== undefined) return blocker;
  if (armed !== undefined) {
    const action = armed === 'allow' ? words.allow.toLowerCase() : 'allow for this session';
    return `Press Enter to ${action}, or Escape to keep it open.`;
  }
  return hint;
}
