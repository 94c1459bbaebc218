/** How Claude Code writes the name of an MCP server in the names of its tools: `mcp__server__tool`. */
export function serverPrefix(name: string): string {
  return name.replace(/[^\w-]/g, '_').toLowerCase();
}

/** Whether a tool with this name can belong to the server. */
export function isToolOf(toolName: string, server: string): boolean {
  return toolName.toLowerCase().startsWith(`mcp__${serverPrefix(server)}__`);
}
