import type * as z from 'zod';
import type { OptionSpec } from '../../core/options/define.js';
import { sessionOptions } from '../../core/options/index.js';
import { claudeCode } from '../async/start.js';
import { fieldTable, type FieldRow } from './field-table.js';
import { code } from './markdown.js';

const options: Readonly<Record<string, OptionSpec>> = sessionOptions;

/** Meaning of the keys of claude_code that are not session options. */
const startWords: Readonly<Record<string, string>> = {
  prompt: 'Task, sent as plain text: `@path` and `/command` have no effect. 1 to 1,048,576 characters.',
  attachments:
    "Files that go with the prompt: paths, absolute or relative to `cwd`. PNG, JPEG, GIF and WebP images up to 3,932,160 bytes and 8,000 pixels on each side, PDFs up to 8 MiB, UTF-8 text up to 256 KiB; together 12 MiB, encoded. They must be in the session's folders, where Claude may read them without approval. A caller that may approve requests can also attach files elsewhere in `CLAUDE_CODE_MCP_ROOTS`. Default: none.",
  waitMs:
    'Time to wait for a result or a request, including the time that Claude Code takes to start. Default: 0. Capped at `CLAUDE_CODE_MCP_MAX_WAIT_MS`.',
  advanced: 'Further options, listed in the next table.',
};

/** All keys of claude_code as tables, for the docs and for the resource. */
export function startTables(): string {
  const top: [string, z.core.$ZodType][] = Object.entries(claudeCode.input.shape);
  const advanced = Object.entries(options).filter(([, { place }]) => place === 'advanced');
  return `${fieldTable(top.map(([name, field]) => [name, field as z.ZodType, meaningOf(name)]))}

Inside ${code('advanced')}:

${fieldTable(advanced.map(([name, { schema, long }]): FieldRow => [name, schema.optional(), long]))}

\`timeout\` is accepted as an older name of \`timeoutMs\`.`;
}

function meaningOf(name: string): string {
  const words = startWords[name] ?? options[name]?.long;
  if (words === undefined) throw new Error(`${name} of claude_code has no description`);
  return words;
}

/** The resource with all start options. */
export function optionsReference(): string {
  return `# Options of claude_code

The server refuses options that the operator does not allow. The error names the setting to change.

${startTables()}
`;
}
