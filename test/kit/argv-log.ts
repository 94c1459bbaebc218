/** The real Claude Code behind a wrapper that writes down what it was started with. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type ArgvLog = {
  /** For CLAUDE_CODE_PATH. */
  readonly executable: string;
  /** The arguments of each launch, in no order. */
  launches(): readonly (readonly string[])[];
  /** The arguments with which this session was begun. */
  argvOf(sessionId: string): readonly string[];
};

/** Writes the wrapper into this folder; one file for each launch comes to lie beside it. */
export function createArgvLog(folder: string): ArgvLog {
  const logs = join(folder, 'launches');
  mkdirSync(logs, { recursive: true });
  const executable = join(folder, 'claude');
  writeFileSync(
    executable,
    `#!/bin/sh\nfor word in "$@"; do printf '%s\\0' "$word"; done > '${logs}'/$$\nexec '${realClaude()}' "$@"\n`,
    { mode: 0o755 },
  );
  const launches = (): string[][] =>
    readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8').split('\0').slice(0, -1));
  return {
    executable,
    launches,
    argvOf: (sessionId) => {
      const argv = launches().find((words) => words.includes(`--session-id=${sessionId}`));
      if (argv === undefined) throw new Error(`No launch of session ${sessionId} was logged.`);
      return argv;
    },
  };
}

/** The executable that comes with the Agent SDK for this system. */
function realClaude(): string {
  const sdk = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk');
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/package.json`;
  return join(dirname(createRequire(sdk).resolve(name)), 'claude');
}
