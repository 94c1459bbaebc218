import { asText, type JsonObject } from '../core/json.js';
import type { InputKind } from '../core/session/events.js';
import { countSecretMarks, mask } from '../core/observability/mask.js';
import { cutNote } from '../core/text/escape.js';
import { noPlan } from '../inputs/present.js';
import { questionsIn } from '../inputs/questions.js';
import type { What } from './contract.js';
import { exact, exactIn } from './wording/texts.js';

/** A tool call as a person may read it. */
export interface ShownCall {
  readonly kind: InputKind;
  readonly toolName: string;
  readonly input: JsonObject;
}

/** The present text of the file that a call changes; `note` says why it is not shown. */
export interface PresentText {
  readonly text: string | undefined;
  readonly note?: string;
}

/** All texts are visible already. */
type Shape = (input: JsonObject, present: PresentText) => What | undefined;

const shapes: Readonly<Record<string, Shape>> = {
  Bash: ({ command, ...more }) =>
    typeof command === 'string' ? { type: 'command', command, more } : undefined,
  Edit: ({ file_path: path, old_string: before, new_string: after, ...more }) =>
    edit({ path, before: asText(before), after, isPart: true, more }),
  Write: ({ file_path: path, content: after, ...more }, present) =>
    edit({ path, before: present.text, note: present.note, after, more }),
  NotebookEdit: ({ notebook_path: path, ...input }, present) =>
    edit({ path, before: present.text, note: present.note, ...cellAfter(input) }),
};

/** A cell that is deleted has no new text, even if the call has one. */
function cellAfter(input: JsonObject): Pick<GivenEdit, 'after' | 'more'> {
  if (input['edit_mode'] === 'delete') return { after: '', more: input };
  const { new_source: after = '', ...more } = input;
  return { after, more };
}

/** Marks both texts of a change that are the same. What is hidden in equal texts can differ. */
export function sameness(before: string | null | undefined, after: unknown): { readonly isSame?: true } {
  return typeof before === 'string' && before === after && isWhole(before) ? { isSame: true } : {};
}

function isWhole(text: string): boolean {
  return !text.includes(mask) && countSecretMarks(text) === 0 && !cutNote.test(text);
}

/** How the page shows a call. */
export function whatOf(
  { input, ...call }: ShownCall,
  { text, ...note }: PresentText = { text: undefined },
): What {
  return visibleWhatOf(
    { ...call, input: exactIn(input) },
    { text: text === undefined ? undefined : exact(text), ...note },
  );
}

/**
 * The same for texts that are visible already. What has no shape of its own, or not the usual keys, is shown as its
 * whole input.
 */
export function visibleWhatOf({ kind, toolName, input }: ShownCall, present: PresentText): What {
  if (kind === 'user_question') return { type: 'questions', questions: questionsOf(input) };
  if (kind === 'plan_review') return planOf(input);
  const shape = Object.hasOwn(shapes, toolName) ? shapes[toolName] : undefined;
  return shape?.(input, present) ?? { type: 'input', input };
}

interface GivenEdit {
  readonly path: unknown;
  readonly before: string | undefined;
  readonly after: unknown;
  readonly note?: string | undefined;
  readonly isPart?: true;
  readonly more: JsonObject;
}

function edit({ path, before, after, note, isPart, more }: GivenEdit): What | undefined {
  if (typeof path !== 'string' || typeof after !== 'string') return undefined;
  return {
    type: 'edit',
    path,
    before,
    after,
    ...sameness(before, after),
    ...(note === undefined ? {} : { note }),
    ...(isPart === undefined ? {} : { isPart }),
    more,
  };
}

function planOf({ plan, planFilePath: _path, ...more }: JsonObject): What {
  return { type: 'plan', markdown: typeof plan === 'string' ? plan : noPlan, more };
}

function questionsOf(input: JsonObject): Extract<What, { type: 'questions' }>['questions'] {
  return questionsIn(input).map(({ question, header = '', options, descriptions = [], multiSelect }) => ({
    question,
    header,
    multiSelect,
    options: options.map((label, index) => ({ label, description: descriptions[index] ?? '' })),
  }));
}
