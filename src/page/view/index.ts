import { serve, type ServedTool } from '../../toolsets/shared/define-tool.js';
import { claudeCodeView } from './view.js';
import { viewVocabulary } from './vocabulary.js';

export const viewTools: readonly ServedTool[] = serve([claudeCodeView], viewVocabulary);
