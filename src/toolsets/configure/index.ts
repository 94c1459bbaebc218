import type { Tool } from '../define-tool.js';
import { claudeCodeConfigure } from './configure.js';

export const configureTools: readonly Tool[] = [claudeCodeConfigure];
