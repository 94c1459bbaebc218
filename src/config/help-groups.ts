/** A line of `--help`, for one command or a few that belong together. */
interface HelpRow {
  readonly words: string;
  readonly brief: string;
  /** Their full names. */
  readonly of: readonly string[];
}

/** Commands in the order in which people need them. Commands without a row appear in the last group. */
export const helpGroups: readonly (readonly [title: string, rows: readonly HelpRow[]])[] = [
  [
    'Set up',
    [
      {
        words: 'install, uninstall',
        brief: 'Add this server to your MCP clients, or remove it',
        of: ['install', 'uninstall'],
      },
      { words: 'login, logout', brief: 'Sign in to Claude Code, or out', of: ['login', 'logout'] },
      { words: 'doctor', brief: 'Check the installation, and say how to fix it', of: ['doctor'] },
      {
        words: 'trust, untrust',
        brief: 'Load CLAUDE.md, settings and servers of a folder, or not',
        of: ['trust', 'untrust'],
      },
    ],
  ],
  [
    'Sessions',
    [
      { words: 'sessions', brief: 'List sessions', of: ['sessions'] },
      { words: 'show <id>', brief: 'Show a result, its cost and open requests', of: ['show'] },
      { words: 'watch <id>', brief: 'Follow a session live', of: ['watch'] },
      { words: 'resume <id>', brief: 'Continue a session in this terminal', of: ['resume'] },
    ],
  ],
  [
    'Page and service',
    [
      { words: 'open', brief: 'Open the page, where you watch sessions and answer them', of: ['open'] },
      {
        words: 'device …',
        brief: 'Manage signed-in browsers: list, revoke, password',
        of: ['device list', 'device revoke', 'device password'],
      },
      {
        words: 'serve',
        brief: 'Serve MCP over HTTP; also: serve status, serve stop',
        of: ['serve', 'serve status', 'serve stop'],
      },
      { words: 'connect', brief: 'Connect a client over stdio to a service', of: ['connect'] },
      {
        words: 'token …',
        brief: 'Manage tokens of the service: create, list, revoke',
        of: ['token create', 'token list', 'token revoke'],
      },
    ],
  ],
  [
    'More',
    [
      { words: 'config', brief: 'Show every setting, its value and its source', of: ['config'] },
      { words: 'audit verify', brief: 'Check the audit log for changes', of: ['audit verify'] },
      { words: 'completion', brief: 'Complete commands in bash, zsh or fish', of: ['completion'] },
    ],
  ],
];
