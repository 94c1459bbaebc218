import { useState } from 'preact/hooks';
import type { TimelineEvent, What } from '../../src/page/contract.js';
import { WhatView } from '../inbox/what.js';
import { useDesk } from '../live/context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Code } from '../texts/code.js';
import { Fields } from '../parts/fields.js';
import { Icon, type IconName } from '../parts/icons.js';
import { VisibleText } from '../texts/visible-text.js';
import { Failed } from '../parts/failed.js';
import { Unfoldable } from './unfoldable.js';

type Body<Type extends TimelineEvent['body']['type']> = Extract<
  TimelineEvent['body'],
  { readonly type: Type }
>;

interface ToolCallViewProps {
  readonly sessionId: string;
  readonly call: Body<'tool_use'>;
  readonly result: Body<'tool_result'> | undefined;
}

/** A tool call in one line. Input and result are loaded when a person unfolds it. */
export function ToolCallView({ sessionId, call, result }: ToolCallViewProps) {
  const { icon, name, look } = stateOf(result);
  return (
    <Unfoldable
      id={call.toolUseId}
      head={
        <>
          <span class={`tool-state ${look}`}>
            <Icon name={icon} size={16} />
            <span class="sr-only">{name}</span>
          </span>
          <strong>{call.toolName}</strong>
          <span class="tool-summary">
            <VisibleText text={withoutName(call)} />
          </span>
        </>
      }
    >
      <Details sessionId={sessionId} toolUseId={call.toolUseId} isDone={result !== undefined} />
    </Unfoldable>
  );
}

/** Summaries often begin with the name of the tool, which stands before them here. */
function withoutName({ toolName, summary }: Body<'tool_use'>): string {
  return summary.startsWith(`${toolName}: `) ? summary.slice(toolName.length + 2) : summary;
}

function stateOf(result: Body<'tool_result'> | undefined): { icon: IconName; name: string; look: string } {
  if (result === undefined) return { icon: 'clock', name: 'Not finished', look: 'busy' };
  if (result.isDenied) return { icon: 'stop', name: 'Denied', look: 'bad' };
  if (result.isError) return { icon: 'cross', name: 'Failed', look: 'bad' };
  return { icon: 'check', name: 'Done', look: 'good' };
}

function Details({
  sessionId,
  toolUseId,
  isDone,
}: {
  sessionId: string;
  toolUseId: string;
  isDone: boolean;
}) {
  const desk = useDesk();
  const { value, error, reload } = useLoaded(
    () => desk.call('toolCall', { sessionId, toolUseId }),
    `${toolUseId} ${isDone}`,
  );
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <p class="muted">Loading…</p>;
  return (
    <div class="tool-details">
      {value.what !== undefined && <Shown what={value.what} />}
      {value.result !== undefined && (
        <section class="what">
          <h3>{value.isError ? 'Error' : 'Result'}</h3>
          <Code text={value.result === '' ? '(empty)' : value.result} />
        </section>
      )}
      {value.note !== undefined && <p class="note">{value.note}</p>}
    </div>
  );
}

function Shown({ what }: { readonly what: What }) {
  const [isWhole, setWhole] = useState(false);
  if (what.type === 'questions') return <Fields input={{ questions: what.questions }} />;
  return <WhatView what={what} isWhole={isWhole} onWhole={() => setWhole(true)} />;
}
