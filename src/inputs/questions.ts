import { AppError } from '../core/errors.js';
import { isObject, ownValue } from '../core/json.js';
import { escapeForApprover } from '../core/text/approver-text.js';
import type { InputRequest } from '../core/session/inputs.js';

/** A question from Claude to the person, as AskUserQuestion sends it. */
export interface Question {
  readonly question: string;
  /** A word or two that stand for the question. */
  readonly header?: string;
  readonly options: readonly string[];
  /** Claude's description of each option, in the same order; absent if there are none. */
  readonly descriptions?: readonly string[];
  readonly multiSelect: boolean;
}

/** A label or free text, or the number of the option that a person has chosen in a list, which begins with 0. */
type Choice = string | { readonly option: number };

/** One choice, several of them, or either with a note. */
export type QuestionAnswer =
  | string
  | readonly Choice[]
  | { readonly answer: string | readonly Choice[]; readonly notes?: string | undefined };

export type GivenAnswers = Readonly<Record<string, QuestionAnswer>>;

/** An approved question without any answer would tell Claude that the user refused to answer. */
export function refuseUnanswered(
  { kind, shown }: Pick<InputRequest, 'kind' | 'shown'>,
  given: { readonly answers?: GivenAnswers | undefined; readonly updatedInput?: object | undefined },
): void {
  if (kind !== 'user_question') return;
  const answers = given.answers ?? ownValue(given.updatedInput, 'answers');
  if (isObject(answers) && Object.values(answers).some(isAnswered)) return;
  const [first] = questionsIn(shown.input);
  throw new AppError('answers_missing', {
    question: first?.question ?? '0',
    option: first?.options[0] ?? 'your answer',
  });
}

/** Claude would take an answer without words for a refusal. */
function isAnswered(answer: unknown): boolean {
  if (typeof answer === 'string') return answer.trim() !== '';
  if (Array.isArray(answer)) return answer.some(isAnswered);
  return ownValue(answer, 'option') !== undefined || isAnswered(ownValue(answer, 'answer') ?? '');
}

/** Returns the valid questions of a tool input. */
export function questionsIn(input: Readonly<Record<string, unknown>>): readonly Question[] {
  const questions = input['questions'];
  return Array.isArray(questions) ? questions.flatMap(toQuestion) : [];
}

/** A question as Claude asked it, and as it was shown. */
interface AskedQuestion extends Question {
  readonly shown: Question;
}

/**
 * Adds answers to the input in the format of Claude Code: keyed by the exact question. The answerer saw `shown`, in
 * which secrets are redacted.
 */
export function withAnswers(
  input: Readonly<Record<string, unknown>>,
  given: GivenAnswers,
  shown: Readonly<Record<string, unknown>> = input,
): Record<string, unknown> {
  const shownQuestions = questionsIn(shown);
  const questions = questionsIn(input).map((question, index) => ({
    ...question,
    shown: shownQuestions[index] ?? question,
  }));
  const answered = Object.entries(given)
    .map(([key, value]) => ({ asked: find(questions, key), value }))
    .filter(({ value }) => isAnswered(value));
  refuseTwice(answered.map(({ asked }) => asked));
  const settled = answered.map(({ asked, value }) => settle(asked, value));
  const notes = settled.flatMap(({ question, note }) =>
    note === undefined ? [] : [[question, { notes: note }]],
  );
  return {
    ...input,
    answers: Object.fromEntries(settled.map(({ question, answer }) => [question, answer])),
    ...(notes.length === 0 ? {} : { annotations: Object.fromEntries(notes) }),
  };
}

/** A question can be named in several ways, and only one of the answers would count. */
function refuseTwice(asked: readonly AskedQuestion[]): void {
  const repeated = asked.find((question, index) => asked.indexOf(question) < index);
  if (repeated !== undefined)
    throw new AppError('question_answered_twice', { question: repeated.shown.question });
}

function settle(
  asked: AskedQuestion,
  value: QuestionAnswer,
): { question: string; answer: string; note: string | undefined } {
  const { question, multiSelect, shown } = asked;
  const { choices: chosen, note } = unfold(value);
  const choices = chosen.map((choice) => textOf(choice, asked));
  if (choices.length <= 1 || multiSelect) return { question, answer: choices.join(', '), note };
  throw new AppError('question_takes_one', { question: shown.question });
}

/** What Claude reads: the original label of an option, or the words of the answer. */
function textOf(choice: Choice, { options, shown }: AskedQuestion): string {
  if (typeof choice !== 'string') return options[choice.option] ?? '';
  const labels = new Set(options.filter((_label, index) => isRead(shown.options[index] ?? '', choice)));
  if (labels.size > 1) throw new AppError('option_ambiguous', { question: shown.question, answer: choice });
  const [label = choice] = labels;
  return label;
}

/** Whether a text of Claude could be meant: callers read it in escapes, or in JSON as it is. */
function isRead(text: string, given: string): boolean {
  return text === given || escapeForApprover(text) === given;
}

/** A number is a number: forms use them, and a header or another question may look like one. */
function find(questions: readonly AskedQuestion[], key: string): AskedQuestion {
  const isNumber = /^\d+$/.test(key);
  const found =
    (isNumber ? questions[Number(key)] : undefined) ??
    withText(questions, key) ??
    (isNumber ? undefined : withHeader(questions, key));
  if (found !== undefined) return found;
  throw new AppError('question_unknown', { key, questions: questions.map(({ shown }) => shown.question) });
}

function withText(questions: readonly AskedQuestion[], key: string): AskedQuestion | undefined {
  const found = questions.filter(({ question, shown }) => question === key || isRead(shown.question, key));
  if (found.some(({ question }) => question !== found[0]?.question))
    throw new AppError('question_ambiguous', { key });
  return found[0];
}

/** Two questions may have the same header, which then names neither. */
function withHeader(questions: readonly AskedQuestion[], key: string): AskedQuestion | undefined {
  const [found, ...others] = questions.filter(({ header, shown }) => header === key || shown.header === key);
  return others.length === 0 ? found : undefined;
}

function unfold(value: QuestionAnswer): { choices: readonly Choice[]; note: string | undefined } {
  if (typeof value === 'string') return { choices: [value], note: undefined };
  if ('answer' in value) return { choices: unfold(value.answer).choices, note: value.notes };
  return { choices: value, note: undefined };
}

function toQuestion(value: unknown): Question[] {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('question' in value) ||
    typeof value.question !== 'string'
  )
    return [];
  const options = 'options' in value && Array.isArray(value.options) ? value.options.flatMap(toOption) : [];
  const descriptions = options.map(({ description }) => description);
  return [
    {
      question: value.question,
      ...('header' in value && typeof value.header === 'string' ? { header: value.header } : {}),
      options: options.map(({ label }) => label),
      ...(descriptions.some((words) => words !== '') ? { descriptions } : {}),
      multiSelect: 'multiSelect' in value && value.multiSelect === true,
    },
  ];
}

function toOption(option: unknown): { label: string; description: string }[] {
  if (typeof option !== 'object' || option === null || !('label' in option)) return [];
  const { label } = option;
  const description = 'description' in option ? option.description : undefined;
  return typeof label === 'string'
    ? [{ label, description: typeof description === 'string' ? description : '' }]
    : [];
}
