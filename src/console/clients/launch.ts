import type { Launch, System } from './client.js';

const packageName = 'mcp-server-claude-code';

/** The package from the registry. */
export function packageLaunch(system: System, options: readonly string[] = []): Launch {
  const words = ['npx', '-y', ...options, packageName] as const;
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
  /** An optional dependency of the package. */
  readonly hasAgentSdk: boolean;
}

/**
 * The command that clients shall run. The files of npx can be deleted at any time, and those of npm belong to one version
 * of Node, so an installed package is started by its name. A checkout has no name. Its Node gets an absolute path, because
 * clients with a window do not have the PATH of a shell. A package without the Agent SDK stays without it: otherwise the
 * client would wait for a long download.
 */
export function launchOf({ program, node, system, hasAgentSdk }: Running): Launch {
  const isPackage = program.split(/[\\/]/).join('/').includes(`/node_modules/${packageName}/`);
  if (!isPackage) return { command: node, args: [program] };
  return packageLaunch(system, hasAgentSdk ? [] : ['--omit=optional']);
}
