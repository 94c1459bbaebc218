import { join } from 'node:path';

/** The files and folders of Claude Code. */
export interface ClaudeHome {
  /** The user's home folder, which replaces `~` in paths that Claude Code reads. */
  readonly home: string;
  readonly configDir: string;
  readonly projectsDir: string;
  readonly sessionsDir: string;
  /** Prompts typed in the terminal, in all projects. */
  readonly historyFile: string;
  readonly stateFile: string;
  readonly settingsFile: string;
  /** Settings of the whole machine, which override those of the user. */
  readonly managedDir: string;
}

const managedDirs: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
};

export interface ClaudeHomeSource {
  readonly home: string;
  /** CLAUDE_CONFIG_DIR. Absolute, because Claude Code resolves a relative one against the folder of each session. */
  readonly configDir?: string | undefined;
}

export function resolveClaudeHome({ home, configDir: chosen = '' }: ClaudeHomeSource): ClaudeHome {
  const configDir = (chosen === '' ? join(home, '.claude') : chosen).normalize('NFC');
  return {
    home,
    configDir,
    projectsDir: join(configDir, 'projects'),
    sessionsDir: join(configDir, 'sessions'),
    historyFile: join(configDir, 'history.jsonl'),
    // Next to ~/.claude, but inside a configured directory.
    stateFile: join(chosen === '' ? home : configDir, '.claude.json'),
    settingsFile: join(configDir, 'settings.json'),
    managedDir: managedDirs[process.platform] ?? '/etc/claude-code',
  };
}
