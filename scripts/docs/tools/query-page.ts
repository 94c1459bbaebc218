import { asyncVocabulary } from '../../../src/toolsets/async/wording/vocabulary.js';
import { settings } from '../../../src/config/settings.js';
import { queryTools } from '../../../src/toolsets/query/index.js';
import { generatedNotice } from '../markdown.js';
import { toolSection, type ToolWords } from './section.js';

const sessionId = 'dd6444d1-31ab-48ff-8dcb-75aba5b47c7e';

const words: ToolWords = {
  example: {
    call: {
      prompt: 'Do the tests pass?',
      cwd: '/home/me/parser',
      allowedTools: ['Bash(npm test)'],
      maxMessages: 1,
      includeSystemMessages: false,
    },
    answer: {
      sessionId,
      result: { success: true, summary: 'All 12 tests pass.' },
      executionTime: 8552,
      usage: { input_tokens: 2000, output_tokens: 40 },
      truncation: {
        total: 4,
        returned: 1,
        shortened: 0,
        dropped: 3,
        next: `claude_code_query {"sessionId":"${sessionId}","messageOffset":0}`,
      },
      messages: [{ type: 'result', subtype: 'success', result: 'All 12 tests pass.', num_turns: 2 }],
    },
  },
  fields: {
    prompt:
      'Task, sent as plain text: `@path` and `/command` have no effect. Required unless `sessionId` is given.',
    attachments:
      'Files that go with the prompt, as for `attachments` of [claude_code](async.md#claude_code). Default: none.',
    cwd: "Working folder, an absolute path. Default: `CLAUDE_CODE_DEFAULT_CWD`, else `CLAUDE_PROJECT_DIR`, else the server's own folder.",
    maxTurns: 'Maximum number of model turns. Default: no limit.',
    model: "Model name or alias. Default: the user's.",
    appendSystemPrompt: 'Text to append to the system prompt of Claude Code. Default: none.',
    maxMessages: 'Maximum number of messages in the answer, counted from the end. Default: 100.',
    includeSystemMessages:
      'Whether the answer contains system messages. Messages sent during the query always include them. Default: `true`.',
    permissionMode: 'Permission mode of Claude Code, subject to the same rules as in `claude_code`.',
    allowedTools: 'Tools or rules that run without approval. Default: none.',
    disallowedTools: 'Tools or rules that never run, no matter who approves. Default: none.',
    timeoutMs:
      'Time limit of the query, from when Claude Code is ready. Waiting for a person does not count. Default and maximum: `CLAUDE_CODE_MAX_EXECUTION_TIME`, 5 minutes. A larger value is lowered to it, and the answer has `timeoutLimitMs`.',
    sessionId: 'Instead of `prompt`: read an earlier query. Starts nothing.',
    resultOffset:
      'With `sessionId`: return its result, or with `messageId` that message, from this character on. The answer has `nextOffset` while there is more. A page of a result names its `turn`: if it differs from that of the page before, a newer result has replaced the one you read. Default: 0.',
    messageOffset:
      'With `sessionId`: return its messages, oldest first, after skipping this many, or from a `nextOffset` on. The answer has `nextOffset` while there is more.',
    messageId:
      'With `sessionId`: uuid of a message. Returns the whole message as text, with the inputs of the tools that it calls.',
    sandbox: 'Sandbox for the commands that Claude runs, as in `claude_code`.',
  },
  notes:
    'All keys except `prompt` can also be passed in an object `options`. The answer is `{ sessionId, result, denied, timeoutLimitMs, notSaved, projectSettings, executionTime, usage, truncation, messages }`. The example shortens the message. [Queries](../query.md) explains the answer, the messages sent during the query, and how a query ends.',
};

/** docs/tools/query.md */
export function queryPage(): string {
  const tools = queryTools({ maxExecutionMs: settings.maxExecutionTime.fallback, async: asyncVocabulary });
  return `${generatedNotice}

# Toolset \`query\`

One tool that runs a task to the end in a single call. Serve it with \`CLAUDE_CODE_MCP_TOOLSETS=query\`, alone or with other toolsets.

${tools.map((tool) => toolSection(tool, words)).join('\n\n')}
`;
}
