import { describeTools } from '../../core/claude/claude-tools.js';
import { code, table } from './markdown.js';

/** The resource: which tools Claude Code has. `shown`: those that a session of this server had. */
export function toolsReference(shown: ReadonlySet<string>): string {
  const rows = describeTools(shown).map(({ name, category, does }) => [
    code(name),
    category,
    does,
    shown.has(name) ? 'yes' : '',
  ]);
  return `# Tools of Claude Code

Names for \`allowedTools\`, \`disallowedTools\` and \`advanced.tools\`. "Seen" are those that a session of this server has had${
    shown.size === 0 ? '; none has started yet' : ''
  }. Tools of MCP servers (\`mcp__server__tool\`) belong to a session: \`claude_code_check\` with \`include: ["tools"]\` names all it has.

${table(['Tool', 'Category', 'What it does', 'Seen'], rows)}
`;
}
