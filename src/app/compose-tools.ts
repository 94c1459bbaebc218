import type { Settings } from '../config/settings.js';
import { checkRespondsTools } from '../toolsets/async/check-responds.js';
import { asyncTools } from '../toolsets/async/index.js';
import { asyncVocabulary, checkRespondsVocabulary } from '../toolsets/async/wording/vocabulary.js';
import { besideConfigure, configureTools } from '../toolsets/configure/index.js';
import type { ServedTool } from '../toolsets/shared/define-tool.js';
import type { Vocabulary } from '../toolsets/shared/wording/vocabulary.js';

type ToolSettings = Pick<Settings, 'toolsets' | 'checkResponds' | 'maxExecutionTime'>;

const toolsets: Readonly<
  Record<Settings['toolsets'][number], (settings: ToolSettings) => Promise<readonly ServedTool[]>>
> = {
  async: async ({ checkResponds }) => (checkResponds ? checkRespondsTools : asyncTools),
  // Imported only if configured, so that other servers do not pay for it.
  sessions: async () => (await import('../toolsets/sessions/index.js')).sessionsTools,
  query: async ({ maxExecutionTime, toolsets, checkResponds }) => {
    const async = checkResponds ? checkRespondsVocabulary : asyncVocabulary;
    return (await import('../toolsets/query/index.js')).queryTools({
      maxExecutionMs: maxExecutionTime,
      async: toolsets.includes('async') ? async : undefined,
    });
  },
  configure: async () => configureTools,
  codex: async ({ maxExecutionTime }) =>
    (await import('../toolsets/codex/index.js')).codexTools({ maxExecutionMs: maxExecutionTime }),
  view: async () => (await import('../page/view/index.js')).viewTools,
};

/** The tools of the configured toolsets. Each wording names only tools that are served together. */
export async function composeTools(
  settings: ToolSettings,
  words: WordsOfServer = {},
): Promise<readonly ServedTool[]> {
  const tools = (await Promise.all(settings.toolsets.map((name) => toolsets[name](settings)))).flat();
  const served = settings.toolsets.includes('configure') ? besideConfigure(tools) : tools;
  return served.map((tool) => ({ ...tool, vocabulary: worded(tool, words) }));
}

/** What the texts of all tools depend on besides the toolsets. */
interface WordsOfServer {
  readonly command?: string | undefined;
  /** Undefined over stdin and stdout. */
  readonly tenant?: { readonly places: ReadonlyMap<string, string> } | undefined;
}

/** Errors name the place of a setting that concerns the caller: the variable of the service would not help. */
function worded({ vocabulary }: ServedTool, { command, tenant }: WordsOfServer): Vocabulary {
  const { setting, command: usual } = vocabulary;
  if (tenant === undefined) return { ...vocabulary, command: command ?? usual };
  return { ...vocabulary, isLocal: false, setting: (key) => tenant.places.get(key) ?? setting(key) };
}
