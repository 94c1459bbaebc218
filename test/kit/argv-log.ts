/** The real Claude Code behind a wrapper that records its arguments. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type ArgvLog = {
  /** For CLAUDE_CODE_PATH. */
  readonly executable: string;
  /** The arguments of each launch, in no order. */
  launches(): readonly (readonly string[])[];
  /** The arguments that started this session, or with which it was resumed. */
  argvOf(sessionId: string, launch?: LoggedLaunch): readonly string[];
  /** The MCP configuration of the same launch, from an argument or a file. */
  mcpConfigOf(sessionId: string, launch?: LoggedLaunch): string;
};

/** A session must have been resumed only once. */
export type LoggedLaunch = 'session-id' | 'resume';

/** Writes the wrapper into this folder. Each launch adds a file next to it. */
export function createArgvLog(folder: string): ArgvLog {
  const logs = join(folder, 'launches');
  const configs = join(folder, 'mcp-configs');
  mkdirSync(logs, { recursive: true });
  mkdirSync(configs);
  const executable = join(folder, 'claude');
  writeFileSync(
    executable,
    [
      '#!/bin/sh',
      `for word in "$@"; do printf '%s\\0' "$word"; done > '${logs}'/$$`,
      // The file is deleted when the process exits.
      `for word in "$@"; do file="\${word#--mcp-config=}"`,
      `case "$file" in */mcp.json) cp "$file" '${configs}'/$$;; esac; done`,
      `exec '${realClaude()}' "$@"`,
      '',
    ].join('\n'),
    { mode: 0o755 },
  );
  const argvIn = (name: string): string[] => readFileSync(join(logs, name), 'utf8').split('\0').slice(0, -1);
  const launches = (): string[][] => readdirSync(logs).map(argvIn);
  const nameOf = (sessionId: string, launch: LoggedLaunch = 'session-id'): string => {
    const found = readdirSync(logs).find((name) => valueOf(argvIn(name), launch) === sessionId);
    if (found === undefined) throw new Error(`No launch of session ${sessionId} was logged.`);
    return found;
  };
  return {
    executable,
    launches,
    argvOf: (sessionId, launch) => argvIn(nameOf(sessionId, launch)),
    mcpConfigOf: (sessionId, launch) => {
      const name = nameOf(sessionId, launch);
      const copy = join(configs, name);
      if (existsSync(copy)) return readFileSync(copy, 'utf8');
      return valueOf(argvIn(name), 'mcp-config') ?? '{}';
    },
  };
}

/** The value of a flag, either after `=` or in the next argument. */
export function valueOf(argv: readonly string[], name: string): string | undefined {
  const index = argv.indexOf(`--${name}`);
  return (
    argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ??
    (index === -1 ? undefined : argv[index + 1])
  );
}

/** The executable that ships with the Agent SDK for this system. */
export function realClaude(): string {
  const sdk = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk');
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/package.json`;
  return join(dirname(createRequire(sdk).resolve(name)), 'claude');
}
