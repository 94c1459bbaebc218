/** How long clients wait for a tool, and how much of its result reaches the model, as measured or read in their code. */

export interface ClientLimits {
  /** The longest wait that is safe. */
  readonly waitMs: number;
  /** The longest result that reaches the model whole, counted as the JSON string in which a client carries it. */
  readonly resultChars: number;
}

export interface ClientRow {
  readonly title: string;
  /** As it introduces itself. */
  readonly name: string;
  /** The version that was measured. Earlier ones may be stricter, so they count as unknown. */
  readonly from: string;
  /** The safe wait of a call that reports no progress. */
  readonly silentMs: number;
  /** The same for a call with a progress token, to which this server sends progress every 5 seconds. */
  readonly progressMs: number;
  readonly resultChars: number;
  readonly quirks: string;
}

/** For clients that are not in the table: those of the strictest client. */
export const safest = { silentMs: 45_000, progressMs: 45_000, resultChars: 7_500 } as const;

/**
 * Below the five minutes at which most of the patient clients give up, with room for a slow answer. Claude's
 * API caches a prompt for five minutes by default, so a longer wait may cost the caller its whole conversation again.
 */
const patientMs = 285_000;
/** More would fit into several clients, but every character costs the caller. */
const ampleChars = 20_000;

export const clientRows: readonly ClientRow[] = [
  {
    title: 'Claude Code',
    name: 'claude-code',
    from: '2.1.325',
    // Desktop programs that embed it give up after 60 seconds without progress.
    silentMs: safest.silentMs,
    progressMs: patientMs,
    resultChars: ampleChars,
    quirks:
      'Progress extends the limit, unless MCP_TOOL_TIMEOUT or a timeout of the server is set. Shows structured content instead of the text.',
  },
  {
    title: 'Claude Desktop',
    name: 'claude-ai',
    from: '0',
    ...safest,
    quirks: 'Gives up after 60 seconds or 4 minutes, depending on its version. Progress does not help.',
  },
  {
    title: 'Codex',
    name: 'codex-mcp-client',
    from: '0.166.0',
    silentMs: patientMs,
    progressMs: patientMs,
    resultChars: 9_000,
    quirks:
      'Gives up after 5 minutes, with or without progress; tool_timeout_sec changes it. Cuts the middle out of longer results. Does not mark errors.',
  },
  {
    title: 'GitHub Copilot CLI',
    name: 'copilot-cli',
    from: '1.0.102',
    silentMs: 150_000,
    // Measured with progress for 230 seconds only.
    progressMs: 240_000,
    resultChars: 14_000,
    quirks:
      'Gives up after 3 minutes without progress. Writes longer results to a file. Drops resource links.',
  },
  {
    title: 'Gemini CLI',
    name: 'gemini-cli-mcp-client',
    from: '0.61.0',
    silentMs: patientMs,
    progressMs: patientMs,
    resultChars: ampleChars,
    quirks: 'Gives up after 10 minutes. Ignores structured content.',
  },
  {
    title: 'OpenCode',
    name: 'opencode',
    from: '1.18.33',
    silentMs: safest.silentMs,
    progressMs: patientMs,
    resultChars: ampleChars,
    quirks: 'Gives up after 60 seconds without progress. Cancels calls that have already ended.',
  },
  {
    title: 'Cline',
    name: '@cline/core',
    from: '0',
    ...safest,
    quirks: 'Gives up after 60 seconds. Asks for no progress. Cuts results to 8,000 characters.',
  },
  {
    title: 'Qwen Code',
    // It appends the name that the person gave to the server.
    name: 'qwen-cli-mcp-client-claude-code',
    from: '0',
    ...safest,
    quirks:
      'Gives up after 5 minutes, but earlier versions after 60 seconds, and all report the same version.',
  },
  {
    title: 'Continue',
    name: 'continue-cli-client',
    from: '0',
    ...safest,
    quirks: 'Gives up after 60 seconds. Asks for no progress. Ignores structured content.',
  },
  {
    title: 'Zed',
    name: 'Zed',
    from: '0',
    ...safest,
    quirks: 'Gives up after 60 seconds, unless context_server_timeout is set.',
  },
];

/** `client` is the name and the version, as the client reports them. */
export function limitsOf(client: string | undefined, hasProgress: boolean): ClientLimits {
  const [, name = '', version = ''] = /^(.*) (\S+)$/s.exec(client ?? '') ?? [];
  const row = clientRows.find((known) => name === known.name);
  const { silentMs, progressMs, resultChars } =
    row !== undefined && isAtLeast(version, row.from) ? row : safest;
  return { waitMs: hasProgress ? progressMs : silentMs, resultChars };
}

function isAtLeast(version: string, oldest: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(oldest)];
  const differing = other.findIndex((number, index) => (own[index] ?? 0) !== number);
  return differing === -1 || (own[differing] ?? 0) > (other[differing] ?? 0);
}

/** Without what may follow them, as in `1.0.102-3`. */
function numbersOf(version: string): readonly number[] {
  return (/^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '0').split('.').map(Number);
}
