import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The executable that comes with the Agent SDK; undefined when that is not installed, or not for this system. */
export function findBundledClaude(): string | undefined {
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const system = `${process.platform}-${process.arch}`;
  return ['', '-musl']
    .map((libc) => packageFolder(`@anthropic-ai/claude-agent-sdk-${system}${libc}`))
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** It is a dependency of the SDK, not of ours: package managers may keep it where only the SDK finds it. */
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
