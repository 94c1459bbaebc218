import type { Card } from '../../src/page/contract.js';
import { Icon } from '../parts/icons.js';
import { VisibleText } from '../texts/visible-text.js';

/** What else a person should know: Claude's words, why Claude Code asks, and what a grant would include. */
export function Facts({ card }: { readonly card: Card }) {
  return (
    <>
      {card.claudeSays !== undefined && (
        <figure class="quote">
          <figcaption>Claude’s words, not checked</figcaption>
          <blockquote>
            <VisibleText text={card.claudeSays} />
          </blockquote>
        </figure>
      )}
      <ul class="facts">
        <Fact name="Why it asks" text={card.reason} />
        <Fact name="Path" text={card.blockedPath} />
        <Fact name="Leads to" text={card.leadsTo} isWarning />
        <Fact name="MCP server" text={card.server} />
        {card.isMasked && <Fact name="Masked" text="A secret of the operator is hidden in this input." />}
        {card.accepts.includes('allow_for_session') && (
          <Fact name="“For this session” also allows" text={card.grant} />
        )}
      </ul>
    </>
  );
}

interface FactProps {
  readonly name: string;
  readonly text: string | undefined;
  readonly isWarning?: boolean;
}

function Fact({ name, text, isWarning = false }: FactProps) {
  if (text === undefined) return null;
  return (
    <li class={isWarning ? 'warning' : undefined}>
      {isWarning && <Icon name="warning" size={16} />}
      <span>
        <strong>{name}</strong>
        <VisibleText text={text} />
      </span>
    </li>
  );
}
