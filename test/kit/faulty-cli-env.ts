import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The stand-in for the `claude` binary. */
export const FAULTY_CLI_PATH = fileURLToPath(new URL('faulty-cli.mjs', import.meta.url));

/** The modes of faulty-cli-modes.mjs. */
export type FaultyMode =
  | 'ok'
  | 'exit-at-once'
  | 'silent'
  | 'silent-after-initialize'
  | 'crash-mid-turn'
  | 'kill-self-mid-turn'
  | 'killed-beside-child'
  | 'exit-without-result'
  | 'crash-mid-line'
  | 'closes-output'
  | 'no-gate'
  | 'old-version'
  | 'no-version'
  | 'other-version-inside'
  | 'other-version-confirmed'
  | 'other-version-printed'
  | 'other-program'
  | 'garbage'
  | 'garbage-only'
  | 'json-null'
  | 'empty-control-response'
  | 'half-line'
  | 'unknown-types'
  | 'flood'
  | 'drip'
  | 'deep-input'
  | 'huge-line'
  | 'ignores-interrupt'
  | 'deaf-to-interrupt'
  | 'dialog'
  | 'elicitation'
  | 'late-result'
  | 'double-result'
  | 'clear';

export type FaultyOptions = {
  /** The number of events that `flood` and `drip` send. */
  readonly count?: number;
  /** A file that receives one JSON line with argv and pid, and one for each line of input. */
  readonly log?: string;
  /** Printed to stderr before anything else. */
  readonly stderr?: string;
};

/** The environment that makes a server run the faulty CLI in this mode. */
export function faultyCli(mode: FaultyMode, options: FaultyOptions = {}): Record<string, string> {
  return { CLAUDE_CODE_PATH: FAULTY_CLI_PATH, ...variables(mode, options) };
}

/** Sets the mode of an executable between two launches. Undefined removes the executable. */
export function useFaultyMode(
  executable: string,
  mode: FaultyMode | undefined,
  options: FaultyOptions = {},
): void {
  rmSync(executable, { force: true });
  if (mode === undefined) return;
  const assignments = Object.entries(variables(mode, options)).map(([name, value]) => `${name}='${value}'`);
  const script = `#!/bin/sh\n${assignments.join(' ')} exec '${process.execPath}' '${FAULTY_CLI_PATH}' "$@"\n`;
  writeFileSync(executable, script, { mode: 0o755 });
}

function variables(mode: FaultyMode, { count, log, stderr }: FaultyOptions): Record<string, string> {
  return {
    FAULTY_CLI: mode,
    ...(count !== undefined && { FAULTY_CLI_COUNT: String(count) }),
    ...(log !== undefined && { FAULTY_CLI_LOG: log }),
    ...(stderr !== undefined && { FAULTY_CLI_STDERR: stderr }),
  };
}
