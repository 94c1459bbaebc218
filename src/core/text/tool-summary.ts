import { oneLine } from './escape.js';

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
};

/** Summarises a call in one line from the tool and its input, never from the agent's description of it. */
export function summarizeToolUse(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  maxChars = 200,
): string {
  if (toolName === 'ExitPlanMode') return 'Claude asks for approval of its plan';
  const key = Object.hasOwn(tellingKeys, toolName) ? tellingKeys[toolName] : undefined;
  const telling = key === undefined ? undefined : input[key];
  const text = typeof telling === 'string' ? telling : JSON.stringify(input);
  return oneLine(`${toolName}: ${text}`, maxChars);
}
