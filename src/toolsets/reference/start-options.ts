import type * as z from 'zod';
import type { OptionSpec } from '../../core/options/define.js';
import { sessionOptions } from '../../core/options/index.js';
import { claudeCode } from '../async/start.js';
import { fieldTable, type FieldRow } from './field-table.js';
import { code } from './markdown.js';

const options: Readonly<Record<string, OptionSpec>> = sessionOptions;

/** What claude_code takes beside its options, in words. */
const startWords: Readonly<Record<string, string>> = {
  prompt:
    'The task. Sent as text: `@path` and `/command` in it do nothing. At most 1,048,576 characters, and not empty.',
  waitMs:
    "How long to wait for a result or a request before answering. Default: 0. Cut to the operator's limit.",
  advanced: 'The options of the second table.',
};

/** Every key of claude_code: the tables of the docs, and of the resource that callers can read. */
export function startTables(): string {
  const top: [string, z.core.$ZodType][] = Object.entries(claudeCode.input.shape);
  const advanced = Object.entries(options).filter(([, { place }]) => place === 'advanced');
  return `${fieldTable(top.map(([name, field]) => [name, field as z.ZodType, meaningOf(name)]))}

Inside ${code('advanced')}:

${fieldTable(advanced.map(([name, { schema, long }]): FieldRow => [name, schema.optional(), long]))}

\`timeout\` is taken as an older name of \`timeoutMs\`.`;
}

function meaningOf(name: string): string {
  const words = startWords[name] ?? options[name]?.long;
  if (words === undefined) throw new Error(`${name} of claude_code has no words`);
  return words;
}

/** The resource: the whole reference of what a session can be started with. */
export function optionsReference(): string {
  return `# Options of claude_code

What the operator does not allow is refused, and the refusal names the switch.

${startTables()}
`;
}
