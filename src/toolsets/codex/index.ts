import { serve, type ServedTool } from '../shared/define-tool.js';
import { createCodexTools, type CodexSettings } from './codex.js';
import { codexVocabulary } from './vocabulary.js';

export function codexTools(settings: CodexSettings): readonly ServedTool[] {
  return serve(createCodexTools(settings), codexVocabulary);
}
