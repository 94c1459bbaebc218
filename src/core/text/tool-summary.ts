import { firstLine, oneLine } from './escape.js';

/** The input key that best describes what a tool call does. */
const tellingKeys: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  NotebookEdit: 'notebook_path',
  Glob: 'pattern',
  Grep: 'pattern',
  WebFetch: 'url',
  WebSearch: 'query',
  Agent: 'description',
  Task: 'description',
  Skill: 'skill',
  ExitPlanMode: 'plan',
};

/** Summarises a call in one line from the tool and its input, never from the agent's description of it. */
export function summarizeToolUse(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  maxChars = 200,
): string {
  return oneLine(`${toolName}: ${tellingText(toolName, input)}`, maxChars);
}

/** The part of an input that best describes the call. */
export function tellingText(toolName: string, input: Readonly<Record<string, unknown>>): string {
  const key = Object.hasOwn(tellingKeys, toolName) ? tellingKeys[toolName] : undefined;
  const telling = Object.hasOwn(listed, toolName) ? listed[toolName]?.(input) : key && input[key];
  if (typeof telling !== 'string') return JSON.stringify(input);
  return toolName === 'ExitPlanMode' ? titleOf(telling) : telling;
}

/** Calls that several texts describe. */
const listed: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => string | undefined>> = {
  AskUserQuestion: questionTexts,
  // A tool of this server: it restores files.
  Rewind: ({ files }) => (Array.isArray(files) && files.length > 0 ? files.join(', ') : undefined),
};

/** The first line of a plan tells it from other plans. */
function titleOf(plan: string): string {
  return firstLine(plan, 120).replace(/^#+\s+/, '');
}

function questionTexts({ questions }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(questions)) return undefined;
  const texts = questions.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'question' in one && typeof one.question === 'string'
      ? [one.question]
      : [],
  );
  return texts.length === 0 ? undefined : texts.join(' / ');
}
