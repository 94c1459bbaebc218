import { escapeForApprover } from '../core/text/approver-text.js';
import { distinctNames } from '../core/text/distinct-names.js';
import type { Form, FormField } from '../core/forms.js';
import type { InputAsk, InputRequest } from '../core/session/inputs.js';
import type { GivenAnswer } from './build-answer.js';
import { formText, linkText, type FormOrigin } from './form-text.js';
import { grantInWords } from './grant-words.js';
import { questionsIn, type GivenAnswers, type Question } from './questions.js';
import { quoteWords } from './quote.js';

type FieldTable = Form['fields'];
type Content = Readonly<Record<string, unknown>>;

interface FormKind {
  readonly fields: (shown: InputAsk) => FieldTable;
  readonly required: readonly string[];
  /** Returns the person's answer; undefined if the content answers nothing. */
  readonly read: (content: Content, request: InputRequest) => GivenAnswer | undefined;
}

const noteField = (title: string): FormField => ({ type: 'string', title });

const kinds: Readonly<Record<InputRequest['kind'], FormKind>> = {
  permission: {
    fields: (shown) => ({
      decision: {
        type: 'string',
        title: 'Decision',
        ...(shown.isGrantable === false
          ? { enum: ['allow', 'deny'], enumNames: ['Allow once', 'Deny'] }
          : {
              description: `Allow for this session: ${grantInWords(shown)}`,
              enum: ['allow', 'allow_for_session', 'deny'],
              enumNames: ['Allow once', 'Allow for this session', 'Deny'],
            }),
      },
      note: noteField('If you deny: a message to Claude'),
    }),
    required: ['decision'],
    read({ decision, note }) {
      if (decision === 'allow' || decision === 'allow_for_session') return { decision };
      return decision === 'deny' ? denial(note) : undefined;
    },
  },
  plan_review: {
    fields: () => ({
      decision: {
        type: 'string',
        title: 'Decision',
        enum: ['approve', 'revise'],
        enumNames: ['Approve', 'Ask for changes'],
      },
      feedback: noteField('If you ask for changes: what to change'),
    }),
    required: ['decision'],
    read({ decision, feedback }) {
      if (decision === 'approve') return { decision: 'allow' };
      return decision === 'revise' ? denial(feedback) : undefined;
    },
  },
  user_question: {
    fields: ({ input }) => ({
      ...Object.fromEntries(questionsIn(input).map(toField)),
      note: noteField('Another answer, or a note to Claude'),
    }),
    required: [],
    read: (content, { shown }) => ({
      decision: 'allow',
      answers: readAnswers(content, questionsIn(shown.input)),
    }),
  },
};

export function toForm(request: InputRequest, origin: FormOrigin): Form {
  const { fields, required } = kinds[request.kind];
  return { message: formText(request, origin), fields: fields(request.shown), required };
}

/** Leads to the page, where the person reads everything and decides. */
export function toLink(request: InputRequest, origin: FormOrigin, url: string): Form {
  return { message: linkText(request, origin), fields: {}, required: [], url };
}

/** Reads the content of a form; undefined if it contains no answer. */
export function readForm(request: InputRequest, content: Content): GivenAnswer | undefined {
  return kinds[request.kind].read(content, request);
}

/** A person's denial, with an optional note to Claude. */
export function denial(note?: unknown): GivenAnswer {
  const words = typeof note === 'string' ? note.trim() : '';
  return {
    decision: 'deny',
    message: words === '' ? 'A person denied this.' : `A person denied this: ${words}`,
  };
}

function toField({ question, options, multiSelect }: Question, index: number): [string, FormField] {
  const title = quoteWords(question, 200);
  const choices = shownLabels(options);
  const field: FormField =
    multiSelect && choices.length > 0
      ? { type: 'array', title, items: { type: 'string', enum: choices } }
      : { type: 'string', title, ...(choices.length > 0 ? { enum: choices } : {}) };
  return [keyAt(index), field];
}

/** Clients refuse a form with a choice that appears twice. */
function shownLabels(options: readonly string[]): string[] {
  const distinct = distinctNames();
  return options.map((option) => distinct(escapeForApprover(option)));
}

function keyAt(index: number): string {
  return `question_${index + 1}`;
}

/** A note answers the questions left open; if none is open, it accompanies the last answer. */
function readAnswers(content: Content, questions: readonly Question[]): GivenAnswers {
  const { note } = content;
  const words = typeof note === 'string' && note.trim() !== '' ? note.trim() : undefined;
  const given = questions.map((question, index) => choicesOf(content[keyAt(index)], question));
  const isComplete = given.every((choices) => choices.length > 0);
  const answers = given.map((choices, index) => {
    if (choices.length === 0) return words;
    const notes = isComplete && index === given.length - 1 ? words : undefined;
    return { answer: choices, ...(notes === undefined ? {} : { notes }) };
  });
  return Object.fromEntries(
    answers.flatMap((answer, index) => (answer === undefined ? [] : [[String(index), answer]])),
  );
}

/** Maps the labels of the form back to the options. */
function choicesOf(value: unknown, { options }: Question): (string | { readonly option: number })[] {
  const chosen: unknown[] = Array.isArray(value) ? value : [value];
  const shown = shownLabels(options);
  return chosen
    .filter((choice): choice is string => typeof choice === 'string' && choice.trim() !== '')
    .map((choice) => (shown.includes(choice) ? { option: shown.indexOf(choice) } : choice));
}
