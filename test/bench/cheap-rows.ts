/** Rows that count bytes, calls and work instead of time. They run in CI, within a few seconds. */
import { smallGrowth } from './growth.js';
import { hour } from './hour.js';
import type { Row } from './row.js';
import { toolsList } from './tools-list.js';

export const cheapRows: readonly Row[] = [toolsList, hour, smallGrowth];
