/** Programs that people and tools run by name. */
export const programFolders: readonly string[] = [
  '.venv/bin/**',
  '.venv/Scripts/**',
  'node_modules/.bin/**',
  'venv/bin/**',
  'venv/Scripts/**',
];

/** Tools that read these files start the programs that they name. */
const toolFiles = [
  // Coding agents and their editors.
  '.agents/**',
  '.aider.conf.yml',
  '.amazonq/**',
  '.amp/**',
  '.augment/**',
  '.claude/launch.json',
  '.cline/**',
  '.clinerules/**',
  '.codex/**',
  '.continue/**',
  '.copilot/**',
  '.crush.json',
  '.crush/**',
  '.cursor/**',
  '.factory/**',
  '.gemini/**',
  '.github/copilot/**',
  '.github/hooks/**',
  '.goose/**',
  '.junie/**',
  '.kilocode/**',
  '.kiro/**',
  '.opencode/**',
  '.openhands/**',
  '.qwen/**',
  '.roo/**',
  '.trae/**',
  '.warp/**',
  '.windsurf/**',
  'crush.json',
  'opencode.json',
  'opencode.jsonc',
  // Editors.
  '*.code-workspace',
  '.dir-locals.el',
  '.exrc',
  '.fleet/**',
  '.helix/**',
  '.nova/**',
  '.nvim.lua',
  '.nvimrc',
  '.vim/**',
  '.vimrc',
  '.vs/**',
  '.zed/**',
  // Shells, version control and development environments.
  '.codesandbox/**',
  '.direnv/**',
  '.githooks/**',
  '.gitpod.yml',
  '.hg/**',
  '.jj/**',
  '.mise.toml',
  '.mise/**',
  '.replit',
  '.ssh/**',
  'devbox.json',
  'mise.toml',
];

/**
 * Files from which other clients and tools start programs, and which Claude Code itself does not protect. A whole
 * folder is listed where any file in it may count, because tools add files to their folders.
 */
export const autostartFiles: readonly string[] = [...toolFiles, ...programFolders];
