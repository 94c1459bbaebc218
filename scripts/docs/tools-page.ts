import type { z } from 'zod';
import type { OptionSpec } from '../../src/core/options/define.js';
import { sessionOptions } from '../../src/core/options/index.js';
import { checkRespondsTools } from '../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import type { Tool, ToolEffect } from '../../src/toolsets/define-tool.js';
import { fieldWords } from './field-words.js';
import { code, generatedNotice, table } from './markdown.js';
import { answersSection } from './snapshot-words.js';
import { valueWords } from './value-words.js';

const options: Readonly<Record<string, OptionSpec>> = sessionOptions;

const effects: Readonly<Record<ToolEffect, string>> = {
  read: 'only reads (`readOnlyHint`)',
  write: 'changes something',
  destructive: 'can change things (`destructiveHint`)',
};

/** docs/tools.md: what each tool takes, and what all of them answer. */
export function toolsPage(): string {
  const fourTools = checkRespondsTools.filter((tool) => !asyncTools.includes(tool));
  return `${generatedNotice}

# Tools

${table(
  ['Tool', 'What it does', 'Effect'],
  asyncTools.map(({ name, description, effect }) => [code(name), description, effects[effect]]),
)}

An unknown key is an error that lists the known ones. \`null\` means "not given".

${asyncTools.map((tool) => toolSection(tool, tool.name)).join('\n\n')}

${answersSection()}

## Four tools instead of five

With \`CLAUDE_CODE_MCP_CHECK_RESPONDS=1\` there is no \`claude_code_respond\`, and \`claude_code_check\` both watches and
answers. The other tools stay as they are. It exists for callers written against that older design. A client that lets
\`claude_code_check\` run unasked then also lets it approve, so prefer five tools.

${fourTools.map((tool) => inputTable(tool, `${tool.name} (four tools)`)).join('\n\n')}

The tables come from the tools in \`src/toolsets/async\` and the options in \`src/core/options\`.
`;
}

function toolSection(tool: Tool, key: string): string {
  const advanced = Object.entries(options).filter(([, { place }]) => place === 'advanced');
  const more =
    'advanced' in tool.input.shape
      ? `\n\nInside ${code('advanced')}:\n\n${fieldRows(advanced.map(([name, { schema, long }]) => [name, schema.optional(), long]))}`
      : '';
  const aliases =
    tool.normalize === undefined ? '' : '\n\n`timeout` is taken as an older name of `timeoutMs`.';
  return `## ${code(tool.name)}\n\n${tool.description}\n\n${inputTable(tool, key)}${more}${aliases}`;
}

function inputTable(tool: Tool, key: string): string {
  const words = fieldWords[key] ?? {};
  const fields: [string, z.core.$ZodType][] = Object.entries(tool.input.shape);
  const stale = Object.keys(words).filter((name) => !Object.hasOwn(tool.input.shape, name));
  if (stale.length > 0)
    throw new Error(`field-words.ts describes what ${key} does not have: ${stale.join(', ')}`);
  return fieldRows(
    fields.map(([name, field]) => {
      const isOption = words[name] === undefined && Object.hasOwn(options, name);
      const meaning = isOption ? options[name]?.long : words[name];
      if (meaning === undefined) throw new Error(`field-words.ts has no words for ${name} of ${key}`);
      return [name, field as z.ZodType, meaning];
    }),
  );
}

function fieldRows(fields: readonly (readonly [string, z.ZodType, string])[]): string {
  return table(
    ['Key', 'Value', 'Meaning'],
    fields.map(([name, field, meaning]) => [
      field.safeParse(undefined).success ? code(name) : `${code(name)} (required)`,
      name === 'advanced' ? 'object' : valueWords(field),
      meaning,
    ]),
  );
}
