import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

let found: string | undefined;

/** The executable that ships with the Agent SDK; undefined when the SDK is not installed or lacks this platform. */
export function findBundledClaude(): string | undefined {
  found ??= lookForBundledClaude();
  return found;
}

function lookForBundledClaude(): string | undefined {
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const system = `${process.platform}-${process.arch}`;
  return ['', '-musl']
    .map((libc) => packageFolder(`@anthropic-ai/claude-agent-sdk-${system}${libc}`))
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** Resolved from the SDK, because package managers may install its dependencies where only the SDK finds them. */
function packageFolder(name: string): string | undefined {
  const ours = createRequire(import.meta.url);
  const sdk = attempt(() => createRequire(ours.resolve('@anthropic-ai/claude-agent-sdk')));
  const found = [ours, sdk].map((from) => from && attempt(() => from.resolve(`${name}/package.json`)));
  const manifest = found.find((path) => path !== undefined);
  return manifest === undefined ? undefined : dirname(manifest);
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
