/** Files from which other clients and tools start programs. Claude Code itself does not protect them. */
export const autostartFiles = [
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
