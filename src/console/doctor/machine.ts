/** What differs between systems. Pure, so that each can be tested on any other. */
import { win32 } from 'node:path';
import type { Finding } from './check.js';

export interface MachineFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The executable of Node. */
  readonly node: string;
  readonly exists: (path: string) => boolean;
}

/** Folders of programs that switch between versions. */
const versionManagers: readonly (readonly [name: string, folder: RegExp])[] = [
  ['nvm', /[\\/]\.?nvm[\\/]/i],
  ['fnm', /[\\/](\.?fnm|fnm_multishells)[\\/]/i],
  ['Volta', /[\\/]\.?volta[\\/]/i],
  ['asdf', /[\\/]\.?asdf[\\/]/i],
  ['mise', /[\\/]mise[\\/]/i],
  ['nodenv', /[\\/]\.nodenv[\\/]/i],
  ['n', /[\\/]n[\\/](versions|bin)[\\/]/i],
];

function versionManagerOf(path: string): string | undefined {
  return versionManagers.find(([, folder]) => folder.test(path))?.[0];
}

/** A program that starts from the desktop has not read the profile of the shell. */
export function checkVersionManager({ node }: Pick<MachineFacts, 'node'>): readonly Finding[] {
  const manager = versionManagerOf(node);
  if (manager === undefined) return [];
  return [
    {
      id: 'version-manager',
      status: 'warn',
      message: `Node comes from ${manager} (${node}). Clients that start from the desktop may not find it.`,
      fix: 'If a client cannot start the server, use this absolute path as its command, followed by the path of claude-code-mcp.',
    },
  ];
}

/** Where Claude Code looks for the shell that it needs on Windows. */
function gitBashPlaces(environment: MachineFacts['environment']): readonly string[] {
  const besideGit = foldersOf(environment)
    .filter((folder) => /[\\/]Git[\\/]/i.test(`${folder}\\`))
    .map((folder) => win32.join(win32.dirname(folder), 'bin', 'bash.exe'));
  const programs = ['ProgramFiles', 'ProgramFiles(x86)'].flatMap((name) => environment[name] ?? []);
  return [
    ...besideGit,
    ...programs.map((folder) => win32.join(folder, 'Git', 'bin', 'bash.exe')),
    'C:\\Program Files\\Git\\bin\\bash.exe',
  ];
}

export function checkGitBash({ platform, environment, exists }: MachineFacts): readonly Finding[] {
  if (platform !== 'win32') return [];
  const id = 'git-bash';
  const chosen = environment['CLAUDE_CODE_GIT_BASH_PATH'];
  const isShell = chosen !== undefined && shellName.test(chosen) && exists(chosen);
  const found = isShell ? chosen : gitBashPlaces(environment).find(exists);
  if (chosen && !isShell) {
    const instead = found === undefined ? 'is ignored' : `is ignored, and Claude Code uses ${found}`;
    return [
      {
        id,
        status: 'warn',
        message: `CLAUDE_CODE_GIT_BASH_PATH=${chosen} is not an existing bash.exe. It ${instead}.`,
        fix: 'Set it to bash.exe in the folder bin of Git for Windows, or remove it.',
      },
      ...(found === undefined ? [withoutBash({ environment, exists })] : []),
    ];
  }
  if (found !== undefined) return [{ id, status: 'ok', message: `Git Bash: ${found}` }];
  return [withoutBash({ environment, exists })];
}

/** What Claude Code accepts as the name of its shell. */
const shellName = /(^|[\\/])(bash|sh)(\.exe)?$/i;

/** Without Git Bash, Claude Code offers a tool for PowerShell. Without either, it does not start. */
function withoutBash({ environment, exists }: Pick<MachineFacts, 'environment' | 'exists'>): Finding {
  const installGit =
    'install Git for Windows (https://git-scm.com/downloads/win), or set CLAUDE_CODE_GIT_BASH_PATH to its bash.exe.';
  return hasPowerShell({ environment, exists })
    ? {
        id: 'git-bash',
        status: 'warn',
        message: 'Git Bash was not found, so sessions run their commands in PowerShell.',
        fix: `To run them in Bash, ${installGit}`,
      }
    : {
        id: 'git-bash',
        status: 'fail',
        message: 'Neither Git Bash nor PowerShell can be used. Claude Code needs one of them.',
        fix: `Remove CLAUDE_CODE_USE_POWERSHELL_TOOL if it is set. Otherwise, ${installGit}`,
      };
}

function hasPowerShell({ environment, exists }: Pick<MachineFacts, 'environment' | 'exists'>): boolean {
  if (/^(0|false|no|off)$/i.test(environment['CLAUDE_CODE_USE_POWERSHELL_TOOL'] ?? '')) return false;
  const windows = environment['SystemRoot'] ?? 'C:\\Windows';
  return [
    win32.join(windows, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    ...foldersOf(environment).flatMap((folder) =>
      ['powershell.exe', 'pwsh.exe'].map((name) => win32.join(folder, name)),
    ),
  ].some(exists);
}

/** npm installs scripts on Windows, which cannot be started like programs. */
export function checkShims(
  { platform, environment, exists }: MachineFacts,
  isFound: boolean,
): readonly Finding[] {
  if (platform !== 'win32' || isFound) return [];
  const shim = foldersOf(environment)
    .flatMap((folder) => ['claude.cmd', 'claude.ps1'].map((name) => win32.join(folder, name)))
    .find(exists);
  if (shim === undefined) return [];
  return [
    {
      id: 'shim',
      status: 'fail',
      message: `${shim} is a script, which this server cannot start.`,
      fix: 'Install the native Claude Code (irm https://claude.ai/install.ps1 | iex), or set CLAUDE_CODE_PATH to claude.exe.',
    },
  ];
}

function foldersOf({ PATH, Path }: MachineFacts['environment']): readonly string[] {
  return (PATH ?? Path ?? '').split(win32.delimiter).filter((folder) => folder !== '');
}
