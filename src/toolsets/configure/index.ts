import { serve, type ServedTool } from '../shared/define-tool.js';
import { claudeCodeConfigure } from './configure.js';
import { configureVocabulary } from './vocabulary.js';

export const configureTools: readonly ServedTool[] = serve([claudeCodeConfigure], configureVocabulary);

/** Tools that are served beside this one: where they refuse bypassPermissions, they name it. */
export function besideConfigure(tools: readonly ServedTool[]): readonly ServedTool[] {
  const { enableBypass } = configureVocabulary;
  return tools.map((tool) => ({ ...tool, vocabulary: { ...tool.vocabulary, enableBypass } }));
}
