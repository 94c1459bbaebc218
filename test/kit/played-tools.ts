/** Runs the few tools that scripts call, for real: a test that looks for a file finds one. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { textIn, type ToolUse } from './played-rules.js';

const run = promisify(execFile);

export type ToolOutput = { readonly text: string; readonly isError: boolean };

type Surroundings = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
};

export async function runTool(call: ToolUse, around: Surroundings): Promise<ToolOutput> {
  try {
    return { text: await outputOf(call, around), isError: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

async function outputOf({ name, input }: ToolUse, around: Surroundings): Promise<string> {
  const path = resolve(around.cwd, textIn(input, 'file_path'));
  switch (name) {
    case 'Bash':
      return (await run('bash', ['-c', textIn(input, 'command')], around)).stdout;
    case 'Write':
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, textIn(input, 'content'));
      return `File created successfully at: ${path}`;
    case 'Edit':
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(textIn(input, 'old_string'), textIn(input, 'new_string')),
      );
      return `The file ${path} has been updated.`;
    case 'Read':
      return readFileSync(path, 'utf8');
    case 'AskUserQuestion':
      return answersText(input);
    case 'ExitPlanMode':
      return `User has approved your plan. ${textIn(input, 'plan')}`;
    default:
      return `${name} ran`;
  }
}

type QuestionInput = {
  readonly questions?: readonly { readonly question: string }[];
  readonly answers?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, { readonly notes?: string }>>;
};

function answersText({ questions = [], answers = {}, annotations = {} }: QuestionInput): string {
  const parts = questions.flatMap(({ question }) => {
    const answer = answers[question];
    const { notes } = annotations[question] ?? {};
    if (answer === undefined) return [];
    return [`"${question}"="${answer}"${notes === undefined ? '' : ` user notes: ${notes}`}`];
  });
  return parts.length === 0
    ? 'The user did not answer the questions.'
    : `User has answered your questions: ${parts.join(', ')}.`;
}
