import { serve, type ServedTool } from '../shared/define-tool.js';
import { claudeCodeConfigure } from './configure.js';
import { configureVocabulary } from './vocabulary.js';

export const configureTools: readonly ServedTool[] = serve([claudeCodeConfigure], configureVocabulary);

/** Makes the errors of the other served tools point to claude_code_configure when they refuse bypassPermissions. */
export function besideConfigure(tools: readonly ServedTool[]): readonly ServedTool[] {
  const { enableBypass } = configureVocabulary;
  return tools.map((tool) => ({ ...tool, vocabulary: { ...tool.vocabulary, enableBypass } }));
}
