import * as z from 'zod';
import type { Tool } from '../../../src/toolsets/shared/define-tool.js';
import { fieldTable } from '../../../src/toolsets/reference/field-table.js';
import { code, table } from '../../../src/toolsets/reference/markdown.js';

/** A call and a plausible answer. Both must pass the schemas of the tool. */
export interface Example {
  readonly call: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** Takes every start option. The page of `claude_code` already lists them. */
const optionsField = 'diskResumeConfig';
const anyObject = z.record(z.string(), z.unknown()).optional();

/** The texts about a tool that its description does not contain. */
export interface ToolWords {
  /** One text per input field. Missing for `claude_code`, whose fields the server documents in a resource. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly example: Example;
  /** Printed after the table of fields. */
  readonly notes?: string;
}

/** One tool of a page: description, example, fields, notes. */
export function toolSection(tool: Tool, words: ToolWords | undefined, fields?: string): string {
  if (words === undefined) throw new Error(`scripts/docs/tools has no text for ${tool.name}`);
  const parts = [
    `## ${code(tool.name)}`,
    tool.description,
    exampleBlock(tool, words.example),
    fields ?? fieldsOf(tool, words.fields ?? {}),
    words.notes,
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

/** Throws if the tool would reject the call or could not return the answer, so that examples stay valid. */
export function exampleBlock(tool: Tool, { call, answer }: Example): string {
  tool.input.parse(call);
  tool.output().parse(answer);
  return `\`\`\`text
${tool.name} ${JSON.stringify(call, undefined, 1).replaceAll(/\n\s*/g, ' ')}
\`\`\`

\`\`\`json
${JSON.stringify(answer, undefined, 2)}
\`\`\``;
}

/** The table of input fields. Throws if a field has no text, or a text has no field. */
export function fieldsOf(tool: Tool, words: Readonly<Record<string, string>>): string {
  const fields: [string, z.core.$ZodType][] = Object.entries(tool.input.shape);
  const stale = Object.keys(words).filter((name) => !Object.hasOwn(tool.input.shape, name));
  if (stale.length > 0)
    throw new Error(`scripts/docs/tools describes fields that ${tool.name} lacks: ${stale.join(', ')}`);
  const rows = fieldTable(
    fields.map(([name, field]) => {
      const meaning = words[name];
      if (meaning === undefined)
        throw new Error(`scripts/docs/tools has no text for ${name} of ${tool.name}`);
      return [name, name === optionsField ? anyObject : (field as z.ZodType), meaning];
    }),
  );
  return tool.normalize === undefined || !Object.hasOwn(tool.input.shape, 'timeoutMs')
    ? rows
    : `${rows}\n\n\`timeout\` is accepted as an older name of \`timeoutMs\`.`;
}

/** A table of names and meanings. `a, b` in the first column stands for two names. */
export function meanings(rows: readonly (readonly [names: string, meaning: string])[], head = 'Key'): string {
  return table(
    [head, 'Meaning'],
    rows.map(([names, meaning]) => [names.split(', ').map(code).join(', '), meaning]),
  );
}
