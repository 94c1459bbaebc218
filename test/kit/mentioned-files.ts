/** Names of project files in the binary of Claude Code, whose sources are readable text. */
import { createReadStream } from 'node:fs';

/** Each captures a name. Names below `.claude` are prefixed by it. */
const patterns = [
  // join(folder, ".claude", "rules")
  { expression: /"\.claude","([\w.-]+)"/g, prefix: '.claude/' },
  // ".claude/rules", and the same in texts. Not "~/.claude/rules", which is the user's.
  { expression: /[\s"'`(]\.claude\/([\w-]+(?:\.[\w-]+)*)(?=[\s"'`),/*])/g, prefix: '.claude/' },
  // ".mcp.json", ".claude-plugin"
  { expression: /"(\.(?:claude|lsp|mcp)[\w-]*(?:\.json|\.md)?)"/g, prefix: '' },
  // "AGENTS.md", "CLAUDE.local.md"
  { expression: /"([A-Z][A-Z_]+(?:\.local)?\.md)"/g, prefix: '' },
  // ".worktreeinclude", ".rgignore", ".cursorrules"
  { expression: /"(\.[a-z]+(?:include|ignore|rules))"/g, prefix: '' },
];

/** The longest match that may lie across two chunks. */
const overlap = 128;

export async function mentionedFiles(binary: string): Promise<readonly string[]> {
  const found = new Set<string>();
  let tail = '';
  // In latin1 each byte is a character, so that the machine code around the sources does no harm.
  const chunks = createReadStream(binary, { encoding: 'latin1', highWaterMark: 4 * 1024 * 1024 });
  for await (const chunk of chunks as AsyncIterable<string>) {
    const text = tail + chunk;
    for (const { expression, prefix } of patterns)
      for (const [, name = ''] of text.matchAll(expression)) found.add(prefix + name);
    tail = text.slice(-overlap);
  }
  return [...found].toSorted();
}
