import type { Tool } from '../shared/define-tool.js';
import { createQueryTool, type QueryToolSettings } from './query.js';

export function queryTools(settings: QueryToolSettings): readonly Tool[] {
  return [createQueryTool(settings)];
}
