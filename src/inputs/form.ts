import { basename } from 'node:path';
import { cutMiddle, escapeHidden, oneLine } from '../core/text/escape.js';
import type { Form, FormField } from '../core/forms.js';
import type { InputAsk, InputRequest } from '../core/session/inputs.js';
import type { GivenAnswer } from './build-answer.js';
import { grantInWords } from './grants.js';
import { maxQuoteChars, noPlan, quoteClaude } from './present.js';
import { questionsIn, type GivenAnswers, type Question } from './questions.js';

/** As much of an input as a person can be expected to read in a form. */
const maxInputChars = 3_000;

type FieldTable = Form['fields'];
type Content = Readonly<Record<string, unknown>>;

interface FormKind {
  /** The first line of the form. */
  readonly asks: (shown: InputAsk, where: string) => string;
  readonly fields: (shown: InputAsk) => FieldTable;
  readonly required: readonly string[];
  /** Returns the person's answer; undefined if the content answers nothing. */
  readonly read: (content: Content, request: InputRequest) => GivenAnswer | undefined;
}

/** What a person needs to recognise where a request comes from. */
export interface FormOrigin {
  /** The session: its title, id and folder. */
  readonly session: string;
  /** The path of its folder, whose name is part of the first line. */
  readonly folder: string | undefined;
}

const noteField = (title: string): FormField => ({ type: 'string', title });

const kinds: Readonly<Record<InputRequest['kind'], FormKind>> = {
  permission: {
    asks: (shown, where) => `Allow Claude Code to ${actionOf(shown, where)}?`,
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
    asks: (_shown, where) => `Approve Claude Code's plan${where}?`,
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
    asks: (_shown, where) => `Claude Code has a question${where}:`,
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

/** Turns a request into a form. `session` describes the requesting session. */
export function toForm(request: InputRequest, { session, folder }: FormOrigin): Form {
  const { asks, fields, required } = kinds[request.kind];
  const { requestId, shown } = request;
  const { toolName, reason, blockedPath, claudeSays, agentId } = shown;
  const lines = [
    asks(shown, whereIn(folder)),
    `Session: ${session}`,
    ...(agentId === undefined ? [] : [`Subagent: ${oneLine(agentId, 80)}`]),
    ...(request.kind === 'permission' ? [`Tool: ${oneLine(toolName, 80)}`] : []),
    ...quoted(contentOf(shown), requestId),
    ...(claudeSays === undefined ? [] : [quoteClaude(claudeSays)]),
    ...(reason === undefined ? [] : [`Reason: ${oneLine(reason, 200)}`]),
    ...(blockedPath === undefined ? [] : [`Path: ${oneLine(blockedPath, 200)}`]),
  ];
  return { message: lines.join('\n'), fields: fields(shown), required };
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

/** Only a plain name may stand in our own line: callers and agents choose folder names. */
function whereIn(folder = ''): string {
  const name = basename(folder);
  return /^[\w.-]{1,40}$/.test(name) ? ` in ${name}` : '';
}

/** The input key that names what a tool acts on, and how to ask about it with and without its value. */
const actions: Readonly<Record<string, readonly [key: string, verb: string, otherwise: string]>> = {
  Bash: ['command', 'run', 'run this command'],
  Read: ['file_path', 'read', 'read this file'],
  Write: ['file_path', 'write', 'write this file'],
  Edit: ['file_path', 'edit', 'edit this file'],
  NotebookEdit: ['notebook_path', 'edit', 'edit this notebook'],
  WebFetch: ['url', 'fetch', 'fetch this page'],
  WebSearch: ['query', 'search the web for', 'search the web'],
};

/** Text of the agent that can stand in our own line: short, plain, and unable to close its quotation. */
const plainTarget = /^[^`\s](?:[^`\n\t]{0,78}[^`\s])?$/;

function actionOf({ toolName, input }: InputAsk, where: string): string {
  if (toolName === 'Rewind') return `restore files${where}`;
  const action = Object.hasOwn(actions, toolName) ? actions[toolName] : undefined;
  if (action === undefined) return `use ${/^\w{1,80}$/.test(toolName) ? toolName : 'a tool'}${where}`;
  const [key, verb, otherwise] = action;
  const target = input[key];
  const isPlain = typeof target === 'string' && plainTarget.test(target) && escapeHidden(target) === target;
  // Paths and addresses are complete by themselves; only a command depends on where it runs.
  return `${isPlain ? `${verb} \`${target}\`` : otherwise}${toolName === 'Bash' ? where : ''}`;
}

/** What would run, key by key: readable, and whole up to the limit. */
/** The input that would run, key by key: readable, and complete up to the limit. */
function contentOf({ kind, input, claudeSays = '' }: InputAsk): string {
  const { plan, planFilePath: _path, ...more } = input;
  if (kind === 'plan_review') {
    const words = typeof plan === 'string' ? plan : noPlan;
    return Object.keys(more).length === 0 ? words : `${words}\n\n${JSON.stringify(more)}`;
  }
  if (kind === 'user_question') return questionsIn(input).map(questionText).join('\n');
  return Object.entries(input)
    .filter(([key, value]) => key !== 'description' || value !== claudeSays || !isShort(claudeSays))
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Short enough to appear in full after "Claude says". */
function isShort(text: string): boolean {
  return escapeHidden(text).length <= maxQuoteChars;
}

/** Prefixes each line, so that no input can pass for our own text, and states how much is hidden. */
function quoted(text: string, requestId: string): string[] {
  const whole = escapeHidden(text);
  const shown = cutMiddle(whole, maxInputChars)
    .split('\n')
    .map((line) => `> ${line}`);
  if (whole.length <= maxInputChars) return shown;
  return [
    ...shown,
    `Only part of this is shown: it has ${whole.length} characters. Read the rest (request ${requestId}) before you allow it.`,
  ];
}

function questionText({ question, options, descriptions = [] }: Question): string {
  const about = (index: number): string => (descriptions[index] ? `: ${descriptions[index]}` : '');
  return [question, ...options.map((option, index) => `  - ${option}${about(index)}`)].join('\n');
}

function toField({ question, options, multiSelect }: Question, index: number): [string, FormField] {
  const title = oneLine(question, 200);
  const choices = options.map(escapeHidden);
  const field: FormField =
    multiSelect && choices.length > 0
      ? { type: 'array', title, items: { type: 'string', enum: choices } }
      : { type: 'string', title, ...(choices.length > 0 ? { enum: choices } : {}) };
  return [keyAt(index), field];
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

/** Maps the escaped labels of the form back to the original ones. */
function choicesOf(value: unknown, { options }: Question): string[] {
  const chosen: unknown[] = Array.isArray(value) ? value : [value];
  return chosen
    .filter((choice): choice is string => typeof choice === 'string' && choice.trim() !== '')
    .map((choice) => options.find((option) => escapeHidden(option) === choice) ?? choice);
}
