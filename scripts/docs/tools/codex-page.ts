import { settings } from '../../../src/config/settings.js';
import { codexTools } from '../../../src/toolsets/codex/index.js';
import { generatedNotice } from '../markdown.js';
import { toolSection, type ToolWords } from './section.js';

const threadId = 'dd6444d1-31ab-48ff-8dcb-75aba5b47c7e';

const words: Readonly<Record<string, ToolWords>> = {
  codex: {
    example: {
      call: { prompt: 'Do the tests pass?', cwd: '/home/me/parser', sandbox: 'workspace-write' },
      answer: { threadId, content: 'All 12 tests pass.' },
    },
    fields: {
      prompt: 'Task, sent as plain text: `@path` and `/command` have no effect.',
      cwd: "Working folder, an absolute path. Default: `CLAUDE_CODE_DEFAULT_CWD`, else `CLAUDE_PROJECT_DIR`, else the server's own folder.",
      model: "Model name or alias of Claude. Names of OpenAI models are ignored. Default: the user's.",
      sandbox:
        "`workspace-write` accepts edits in the folder (mode `acceptEdits`), `read-only` asks before each change (mode `default`), and `danger-full-access` runs everything without approval (mode `bypassPermissions`), which is refused unless the operator allows it. Default: the user's mode.",
      'approval-policy':
        '`never` with `read-only`, or without `sandbox`, denies everything that would ask (mode `dontAsk`). The other values have no effect: a person decides in a form of the client.',
      'base-instructions': 'Replaces the system prompt of Claude Code. Default: none.',
      'developer-instructions': 'Text to append to the system prompt. Default: none.',
      'compact-prompt': 'Ignored.',
      profile: 'Ignored.',
      config: 'Ignored.',
      'include-plan-tool': 'Ignored.',
    },
    notes:
      'The text of the result is `content`, and the whole answer is its `structuredContent`. Further keys: `error` if the task failed (`content` then says why, and what to do), `denied` (requests that a person denied or that none could answer; at most 5, then the number of others), `ignored` (arguments without effect), `notSaved` (why the thread is not on disk as it is), `readMore` (the call that reads the rest of a long answer; a second text names it, too) and `projectSettings` (files of an untrusted folder that were not loaded). A call takes at most `CLAUDE_CODE_MAX_EXECUTION_TIME`, 5 minutes.',
  },
  'codex-reply': {
    example: {
      call: { threadId, prompt: 'Add a test for empty input.' },
      answer: { threadId, content: 'Added it. All 13 tests pass.' },
    },
    fields: {
      threadId: 'The `threadId` of an earlier answer. `conversationId` is accepted too.',
      prompt: 'The next prompt. Required unless `resultOffset` is given.',
      resultOffset:
        'Instead of `prompt`: return the last answer from this character on, as `text`, with `offset` and `totalChars`. There is `nextOffset` while there is more. `turn` is the number of the answer: if it changes between two pages, a newer answer has replaced the one you read.',
    },
    notes: 'It returns the same answer as `codex`.',
  },
};

/** docs/tools/codex.md */
export function codexPage(): string {
  const tools = codexTools({ maxExecutionMs: settings.maxExecutionTime.fallback });
  return `${generatedNotice}

# Toolset \`codex\`

The two tools of the retired \`codex mcp-server\`, with Claude Code behind them, for configurations and agents that were written for it. Serve them with \`CLAUDE_CODE_MCP_TOOLSETS=codex\`, alone or with other toolsets. For new agents, use \`async\`: its calls can wait, steer and approve.

Two things differ from the retired server: approvals use the standard forms of MCP, and there are no \`codex/event\` notifications. Progress notifications take their place.

${tools.map((tool) => toolSection(tool, words[tool.name] as ToolWords)).join('\n\n')}
`;
}
