import type { Launch, System } from './client.js';

const packageName = 'mcp-server-claude-code';

/** The package from the registry. */
export function packageLaunch(system: System): Launch {
  const words = ['npx', '-y', packageName] as const;
  // On Windows, npx is a batch file, which clients cannot start by itself.
  const [command, ...args] = system === 'win32' ? (['cmd', '/c', ...words] as const) : words;
  return { command, args };
}

interface Running {
  /** The absolute path of the server's file. */
  readonly program: string;
  /** The absolute path of Node. */
  readonly node: string;
  readonly system: System;
}

/**
 * The command that clients shall run. The files of npx can be deleted at any time, and those of npm belong to one version
 * of Node, so an installed package is started by its name. A checkout has no name. Its Node gets an absolute path, because
 * clients with a window do not have the PATH of a shell.
 */
export function launchOf({ program, node, system }: Running): Launch {
  const isPackage = program.split(/[\\/]/).join('/').includes(`/node_modules/${packageName}/`);
  return isPackage ? packageLaunch(system) : { command: node, args: [program] };
}
