/** Files by which other clients and tools start programs; Claude Code's own list does not have them. */
export const launchFiles = [
  '.cursor/mcp.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.zed/settings.json',
  '.windsurf/mcp.json',
  '.windsurf/mcp_config.json',
  '.roo/mcp.json',
  '.kiro/settings/mcp.json',
  '.amazonq/mcp.json',
  'opencode.json',
  'opencode.jsonc',
  'node_modules/.bin/*',
] as const;
