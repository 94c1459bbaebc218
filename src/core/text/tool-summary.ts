import { oneLine } from './escape.js';

/** The input key that says best what a tool will do. */
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

/** One readable line built from the tool and its input, never from the agent's description of it. */
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
