import { useState } from 'preact/hooks';
import type { PersonAnswer, Question } from '../../src/page/contract.js';
import { VisibleText } from '../texts/visible-text.js';

export type Answers = NonNullable<PersonAnswer['answers']>;

interface Choice {
  readonly labels: readonly string[];
  readonly other: string;
  readonly isOther: boolean;
}

const none: Choice = { labels: [], other: '', isOther: false };

interface QuestionsProps {
  readonly requestId: string;
  readonly questions: readonly Question[];
  readonly isLocked: boolean;
  /** The answers, or undefined while a question has none. */
  readonly onChange: (answers: Answers | undefined) => void;
}

export function Questions({ requestId, questions, isLocked, onChange }: QuestionsProps) {
  const [choices, setChoices] = useState<readonly Choice[]>(() => questions.map(() => none));
  const change = (index: number, choice: Choice): void => {
    const next = choices.map((old, at) => (at === index ? choice : old));
    setChoices(next);
    onChange(toAnswers(questions, next));
  };
  return (
    <div class="questions">
      {questions.map((question, index) => (
        <QuestionView
          key={index}
          name={`${requestId}-${index}`}
          question={question}
          choice={choices[index] ?? none}
          isLocked={isLocked}
          onChange={(choice) => change(index, choice)}
        />
      ))}
    </div>
  );
}

interface QuestionViewProps {
  readonly name: string;
  readonly question: Question;
  readonly choice: Choice;
  readonly isLocked: boolean;
  readonly onChange: (choice: Choice) => void;
}

function QuestionView({ name, question, choice, isLocked, onChange }: QuestionViewProps) {
  const type = question.multiSelect ? 'checkbox' : 'radio';
  const toggle = (label: string): void => {
    if (!question.multiSelect) return onChange({ ...choice, labels: [label], isOther: false });
    const has = choice.labels.includes(label);
    const labels = has ? choice.labels.filter((other) => other !== label) : [...choice.labels, label];
    onChange({ ...choice, labels });
  };
  const setOther = (other: string, isOther: boolean): void => {
    const labels = question.multiSelect || !isOther ? choice.labels : [];
    onChange({ labels, other, isOther });
  };
  return (
    <fieldset class="question" disabled={isLocked}>
      <legend>
        <span class="tag">{question.header}</span>
        <span class="text">
          <VisibleText text={question.question} />
        </span>
        {question.multiSelect && <span class="muted">Choose one or more</span>}
      </legend>
      {question.options.map(({ label, description }) => (
        <label key={label} class="option">
          <input
            type={type}
            name={name}
            checked={choice.labels.includes(label)}
            onChange={() => toggle(label)}
          />
          <span>
            <strong>
              <VisibleText text={label} />
            </strong>
            <span class="muted">
              <VisibleText text={description} />
            </span>
          </span>
        </label>
      ))}
      <div class="option other">
        <input
          type={type}
          name={name}
          checked={choice.isOther}
          aria-label="Another answer"
          onChange={() => setOther(choice.other, question.multiSelect ? !choice.isOther : true)}
        />
        <input
          type="text"
          placeholder="Another answer…"
          aria-label={`Another answer to: ${question.question}`}
          value={choice.other}
          onInput={(event) => setOther(event.currentTarget.value, event.currentTarget.value !== '')}
        />
      </div>
    </fieldset>
  );
}

function toAnswers(questions: readonly Question[], choices: readonly Choice[]): Answers | undefined {
  const answers = questions.map(({ question }, index) => {
    const { labels, other, isOther } = choices[index] ?? none;
    return [question, isOther && other.trim() !== '' ? [...labels, other.trim()] : labels] as const;
  });
  return answers.every(([, chosen]) => chosen.length > 0) ? Object.fromEntries(answers) : undefined;
}
