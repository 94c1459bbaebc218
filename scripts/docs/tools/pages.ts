import { asyncPage } from './async-page.js';
import { configurePage } from './configure-page.js';
import { toolsIndexPage } from './index-page.js';
import { codexPage } from './codex-page.js';
import { queryPage } from './query-page.js';
import { sessionsPage } from './sessions-page.js';
import { viewPage } from './view-page.js';

/** The tool reference: an index, and one page per toolset. */
export const toolPages: Readonly<Record<string, () => string>> = {
  'docs/tools/README.md': toolsIndexPage,
  'docs/tools/async.md': asyncPage,
  'docs/tools/configure.md': configurePage,
  'docs/tools/query.md': queryPage,
  'docs/tools/codex.md': codexPage,
  'docs/tools/sessions.md': sessionsPage,
  'docs/tools/view.md': viewPage,
};
