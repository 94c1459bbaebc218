import { describeTools } from '../../core/claude/claude-tools.js';
import type { Tool } from '../shared/define-tool.js';
import { code, table } from './markdown.js';

/** The resource with the tools of Claude Code. `shown` are the tools that sessions of this server have reported. */
export function toolsReference(shown: ReadonlySet<string>, served: readonly Tool[]): string {
  const rows = describeTools(shown).map(({ name, category, does }) => [
    code(name),
    category,
    does,
    shown.has(name) ? 'yes' : '',
  ]);
  return `# Tools of Claude Code

${namesFor(served)}"Seen" marks tools that a session of this server has reported${
    shown.size === 0 ? '; none has started yet' : ''
  }. Tools of MCP servers (\`mcp__server__tool\`) belong to a session${
    served.some(({ name }) => name === 'claude_code_check') ? ': `claude_code_check` can list them' : ''
  }.

${table(['Tool', 'Category', 'What it does', 'Seen'], rows)}
`;
}

/** The keys that take these names, as far as a served tool has them. */
function namesFor(served: readonly Tool[]): string {
  const keys = ['allowedTools', 'disallowedTools'].filter((key) =>
    served.some(({ input }) => Object.hasOwn(input.shape, key)),
  );
  if (served.some(({ input }) => Object.hasOwn(input.shape, 'advanced'))) keys.push('advanced.tools');
  return keys.length === 0 ? '' : `Names for ${keys.map(code).join(', ')}. `;
}
