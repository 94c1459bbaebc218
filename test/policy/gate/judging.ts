import { resolve } from 'node:path';
import type { JudgedCommand, Target } from '../../../src/policy/gate/call.js';
import { readCommand } from '../../../src/policy/gate/command-reading.js';
import { editedWords } from '../../../src/policy/gate/edited-words.js';
import { judgeToolCall, type GateFacts } from '../../../src/policy/gate/judge-tool-call.js';

export const facts = { claudeDir: '/home/u/.claude', isHumanOnly: false, allowedTools: [] };

/** As the session finds them, without any links. */
export function targetsIn(input: Record<string, unknown>): Target[] {
  const { command, file_path, notebook_path, path, filePath } = input;
  const paths = typeof command === 'string' ? command.split(' ') : [file_path, notebook_path, path, filePath];
  return paths
    .filter((name) => typeof name === 'string')
    .map((name) => resolve('/p', name))
    .map((name) => ({ named: name, real: name }));
}

/** As the session reads it, in a project without links. */
function commandIn(toolName: string, { command }: Record<string, unknown>): JudgedCommand | undefined {
  if (typeof command !== 'string' || !['Bash', 'Monitor'].includes(toolName)) return undefined;
  const { paths, ...rest } = readCommand(command);
  const targets = (words: readonly string[]): Target[] =>
    words.map((word) => ({ named: resolve('/p', word), real: resolve('/p', word) }));
  const { edited, moved } = editedWords(command);
  const reads = paths === undefined ? undefined : targets(paths);
  return { ...rest, reads, edits: targets(edited), moves: targets(moved), matches: [] };
}

export function judge(
  toolName: string,
  input: Record<string, unknown>,
  permissionMode: string,
  changes: Partial<GateFacts> = {},
): unknown {
  const command = commandIn(toolName, input);
  const call = { toolUseId: 't', toolName, input, permissionMode, command, targets: targetsIn(input) };
  return judgeToolCall(call, { ...facts, ...changes });
}
