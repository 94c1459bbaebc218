import { useState } from 'preact/hooks';
import type { JsonObject } from '../../src/core/json.js';
import type { What } from '../../src/page/contract.js';
import { Button } from '../parts/button.js';
import { Code } from '../texts/code.js';
import { Diff, isLongDiff } from '../texts/diff.js';
import { Fields, isLongInput } from '../parts/fields.js';
import { beginning, isLong, sizeOf } from '../texts/fold.js';
import { Icon } from '../parts/icons.js';
import { Markdown } from '../texts/markdown.js';
import { VisibleText } from '../texts/visible-text.js';

interface WhatProps {
  readonly what: Exclude<What, { readonly type: 'questions' }>;
  readonly isWhole: boolean;
  readonly onWhole: () => void;
}

/** Exactly what runs if the request is allowed. */
export function WhatView({ what, isWhole, onWhole }: WhatProps) {
  const fold = { isWhole, onWhole };
  switch (what.type) {
    case 'command':
      return (
        <section class="what">
          <h3>Command</h3>
          <Code text={what.command} label="Command" {...fold} />
          <More input={what.more} {...fold} />
        </section>
      );
    case 'edit':
      return (
        <section class="what">
          <h3 class="path">
            <Icon name="file" size={16} />
            <span>{what.path}</span>
            {what.before === undefined && what.note === undefined && <span class="tag new">new file</span>}
          </h3>
          {what.note !== undefined && <p class="note">{what.note}</p>}
          <Diff
            before={what.before}
            after={what.after}
            isSame={what.isSame === true}
            isPart={what.isPart === true}
            {...fold}
          />
          <More input={what.more} {...fold} />
        </section>
      );
    case 'plan':
      return (
        <section class="what">
          <h3>Plan</h3>
          <Plan text={what.markdown} {...fold} />
          <More input={what.more} {...fold} />
        </section>
      );
    case 'input':
      return (
        <section class="what">
          <h3>Input</h3>
          <Fields input={what.input} {...fold} />
        </section>
      );
  }
}

function Plan({ text, isWhole, onWhole }: { text: string; isWhole: boolean; onWhole: () => void }) {
  const [isSource, setSource] = useState(false);
  const isFolded = isLongPlan(text) && !isWhole;
  const shown = isFolded ? beginning(text) : text;
  return (
    <>
      <div class={`plan-text${isFolded ? ' folded' : ''}`}>
        {isSource ? (
          <pre class="markdown plain">
            <VisibleText text={shown} />
          </pre>
        ) : (
          <Markdown text={shown} />
        )}
        {isFolded && (
          <button type="button" class="unfold" onClick={onWhole}>
            Show all {sizeOf(text)}
          </button>
        )}
      </div>
      <Button look="quiet" small onPress={() => setSource(!isSource)}>
        {isSource ? 'Show formatted' : 'Show source'}
      </Button>
    </>
  );
}

function More({ input, ...fold }: { input: JsonObject; isWhole: boolean; onWhole: () => void }) {
  return Object.keys(input).length === 0 ? null : <Fields input={input} {...fold} />;
}

/** A plan is prose, which people read in larger pieces. */
function isLongPlan(text: string): boolean {
  return text.length > 12_000;
}

/** Whether a part of what runs is folded at first. */
export function isFoldable(what: What): boolean {
  switch (what.type) {
    case 'command':
      return isLong(what.command) || isLongInput(what.more);
    case 'edit':
      return isLongDiff(what.before, what.after) || isLongInput(what.more);
    case 'plan':
      return isLongPlan(what.markdown) || isLongInput(what.more);
    case 'questions':
      return false;
    case 'input':
      return isLongInput(what.input);
  }
}
