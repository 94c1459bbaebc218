import { checkRespondsTools } from '../../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../../src/toolsets/async/index.js';
import { claudeCode } from '../../../src/toolsets/async/start.js';
import { startTables } from '../../../src/toolsets/reference/start-options.js';
import { generatedNotice } from '../markdown.js';
import { asyncWords, fourToolsWords } from './async-words.js';
import { exampleBlock, fieldsOf, toolSection } from './section.js';
import { snapshotSection } from './snapshot.js';

/** docs/tools/async.md */
export function asyncPage(): string {
  const sections = asyncTools.map((tool) =>
    toolSection(tool, asyncWords[tool.name], tool.name === claudeCode.name ? startTables() : undefined),
  );
  const merged = checkRespondsTools.filter(({ input }) => !asyncTools.some((tool) => tool.input === input));
  return `${generatedNotice}

# Toolset \`async\`

Five tools, served by default. \`claude_code\` starts a session and returns at once, or waits up to \`waitMs\`. \`claude_code_check\` waits for results and requests. \`claude_code_respond\` answers a request, and \`claude_code_reply\` sends the next prompt. \`claude_code_session\` manages sessions.

${sections.join('\n\n')}

${snapshotSection()}

## Four tools instead of five

With \`CLAUDE_CODE_MCP_CHECK_RESPONDS=1\` the server omits \`claude_code_respond\`, and \`claude_code_check\` both watches and answers. This mode exists for callers that expect \`claude_code_check\` to answer requests too. Prefer five tools: with four, a client that calls \`claude_code_check\` without confirmation can also approve requests.

${merged
  .map(
    (tool) =>
      `${exampleBlock(tool, fourToolsWords.example)}\n\n${fieldsOf(tool, fourToolsWords.fields ?? {})}`,
  )
  .join('\n\n')}
`;
}
