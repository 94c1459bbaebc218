import type { ToolCall } from '../../core/claude/gate.js';

/** Whether a call inserts the text of a skill or a command. */
export function isSkill(toolName: string): boolean {
  return toolName === 'Skill' || toolName === 'SlashCommand';
}

/** All that the call says besides the name of the skill; empty if there is nothing. */
export function skillArguments(input: ToolCall['input']): string {
  const { skill: _name, ...rest } = input;
  return Object.values(rest)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' ')
    .trim();
}
