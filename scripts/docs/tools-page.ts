import type { z } from 'zod';
import { checkRespondsTools } from '../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import { claudeCode } from '../../src/toolsets/async/start.js';
import { configureTools } from '../../src/toolsets/configure/index.js';
import { settings } from '../../src/config/settings.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { queryTools } from '../../src/toolsets/query/index.js';
import type { Tool, ToolEffect } from '../../src/toolsets/shared/define-tool.js';
import { fieldTable } from '../../src/toolsets/reference/field-table.js';
import { sessionsTools } from '../../src/toolsets/sessions/index.js';
import { code, table } from '../../src/toolsets/reference/markdown.js';
import { startTables } from '../../src/toolsets/reference/start-options.js';
import { fieldWords } from './field-words.js';
import { generatedNotice } from './markdown.js';
import { sessionsAnswers } from './sessions-words.js';
import { answersSection } from './snapshot-words.js';

const effects: Readonly<Record<ToolEffect, string>> = {
  read: 'only reads (`readOnlyHint`)',
  write: 'changes something',
  destructive: 'can change things (`destructiveHint`)',
};

/** docs/tools.md: what each tool takes, and what all of them answer. */
export function toolsPage(): string {
  const fourTools = checkRespondsTools.filter(
    ({ input }) => !asyncTools.some((tool) => tool.input === input),
  );
  const queries = queryTools({
    maxExecutionMs: settings.maxExecutionTime.fallback,
    async: asyncVocabulary,
  });
  return `${generatedNotice}

# Tools

${table(
  ['Tool', 'Toolset', 'What it does', 'Effect'],
  [
    ...overviewRows(asyncTools, 'async'),
    ...overviewRows(sessionsTools, 'sessions'),
    ...overviewRows(queries, 'query'),
    ...overviewRows(configureTools, 'configure'),
  ],
)}

Only \`async\` is served unless the operator chooses otherwise with [\`--toolsets\`](configuration.md#--toolsets). An unknown
key is an error that lists the known ones. \`null\` means "not given".

${[...asyncTools, ...queries].map((tool) => toolSection(tool)).join('\n\n')}

It answers \`{ sessionId, result, denied, executionTime, usage, truncation, messages }\`. What that means, and what is sent
while it runs, is told in [queries](query.md).

${configureTools.map((tool) => toolSection(tool)).join('\n\n')}

It answers \`{ allowBypass, message }\`. Choosing this toolset is the operator's consent, and so is
\`CLAUDE_CODE_MCP_CALLER_TRUST=full\`, with which callers need not enable anything. A client that can show forms asks the
person behind it first. Where only a person may approve, nothing but that person's yes enables it. It is off when the
server starts, and a session that was started with it is resumed only while it is on, or in another mode.

${answersSection()}

## Six tools over sessions

With the toolset \`sessions\` the same sessions are served by six tools, alone or besides the others. No call waits: look
with \`claude_get_status\`, and pause between two looks.

${sessionsTools.map((tool) => toolSection(tool, '###')).join('\n\n')}

### What the six tools answer

${sessionsAnswers()}

## Structured results

With \`CLAUDE_CODE_MCP_STRUCTURED=1\` each tool has an output schema, and each answer that is no error carries the same
object once more as \`structuredContent\`.

## Resources

| Address | What it holds |
| --- | --- |
| \`claude-code://reference/options\` | The two tables of \`claude_code\` above. |
| \`claude-code://reference/tools\` | The tools of Claude Code: name, category, what each does, and which of them a session has had. |
| \`claude-code://usage\` | Cost, turns and tokens of the last 31 days by day, project and model: see [metrics](metrics.md). |

With \`CLAUDE_CODE_MCP_DYNAMIC_TOOLS=1\` the description of \`claude_code\` names these tools too, from the first session on.

## Four tools instead of five

With \`CLAUDE_CODE_MCP_CHECK_RESPONDS=1\` there is no \`claude_code_respond\`, and \`claude_code_check\` both watches and
answers. The other tools stay as they are. It exists for callers written against that older design. A client that lets
\`claude_code_check\` run unasked then also lets it approve, so prefer five tools.

${fourTools.map((tool) => inputTable(tool, `${tool.name} (four tools)`)).join('\n\n')}

The tables come from the tools in \`src/toolsets\` and the options in \`src/core/options\`.
`;
}

function overviewRows(tools: readonly Tool[], toolset: string): string[][] {
  return tools.map(({ name, description, effect }) => [
    code(name),
    code(toolset),
    description,
    effects[effect],
  ]);
}

function toolSection(tool: Tool, heading = '##'): string {
  return `${heading} ${code(tool.name)}\n\n${tool.description}\n\n${tool.name === claudeCode.name ? startTables() : inputTables(tool)}`;
}

function inputTables(tool: Tool): string {
  const aliases =
    tool.normalize === undefined ? '' : '\n\n`timeout` is taken as an older name of `timeoutMs`.';
  return `${inputTable(tool, tool.name)}${aliases}`;
}

function inputTable(tool: Tool, key: string): string {
  const words = fieldWords[key] ?? {};
  const fields: [string, z.core.$ZodType][] = Object.entries(tool.input.shape);
  const stale = Object.keys(words).filter((name) => !Object.hasOwn(tool.input.shape, name));
  if (stale.length > 0)
    throw new Error(`field-words.ts describes what ${key} does not have: ${stale.join(', ')}`);
  return fieldTable(
    fields.map(([name, field]) => {
      const meaning = words[name];
      if (meaning === undefined) throw new Error(`field-words.ts has no words for ${name} of ${key}`);
      return [name, field as z.ZodType, meaning];
    }),
  );
}
