import type { Tool } from '../shared/define-tool.js';
import { claudeCodeConfigure } from './configure.js';

export const configureTools: readonly Tool[] = [claudeCodeConfigure];
