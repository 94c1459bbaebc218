import { ConfigError } from '../config/config-error.js';

/** A week. */
const maxIdleMinutes = 10_080;

const codes = { bold: 1, dim: 2, green: 32, yellow: 33, cyan: 36 } as const;

interface Running {
  readonly url: string;
  /** Undefined: the page is off. */
  readonly page?: string | undefined;
  readonly token: string | undefined;
}

export interface BannerStyle {
  /** Colors and bold text, for a terminal. */
  readonly isStyled: boolean;
  /** How the operator runs another command of this package. */
  readonly command: string;
  /** Facts that the operator must know, one sentence each. */
  readonly notes?: readonly string[];
}

/** The output for a person when the service has started. */
export function banner(
  { url, page, token }: Running,
  { isStyled, command, notes = [] }: BannerStyle,
): string {
  const style = (code: keyof typeof codes, text: string): string =>
    isStyled ? `\u001B[${codes[code]}m${text}\u001B[0m` : text;
  const header = `Authorization: Bearer ${token ?? '<token>'}`;
  const paragraphs = [
    `${style('green', '●')} ${style('bold', 'claude-code-mcp')} serves MCP at ${style('cyan', url)}`,
    ...(token === undefined
      ? [`  To create a token for a client: ${command} token create <name>`]
      : [`  Token   ${style('yellow', token)}\n          Save it now: it is not shown again.`]),
    [
      `  ${style('bold', 'Claude Code')}`,
      `  claude mcp add --scope user --transport http claude-code ${url} --header "${header}"`,
    ].join('\n'),
    [`  ${style('bold', 'Other clients')}`, `  URL     ${url}`, `  Header  ${header}`].join('\n'),
    ...(page === undefined
      ? []
      : [
          [
            `  ${style('bold', 'Page')}`,
            `  Watch sessions and answer their requests at ${style('cyan', page)}`,
            `  To open it in your browser: ${command} open`,
          ].join('\n'),
        ]),
    ...notes.map((note) => `  ${style('yellow', '!')} ${note}`),
    style('dim', '  Press Ctrl-C to stop. Running sessions end with the service.'),
  ];
  return `\n${paragraphs.join('\n\n')}\n\n`;
}

/** The time of `--idle-exit` in milliseconds. Throws a ConfigError if it is not a number of minutes. */
export function idleExitMs(minutes: string | undefined): number | undefined {
  if (minutes === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(minutes) ? Number(minutes) : 0;
  if (value > 0 && value <= maxIdleMinutes) return value * 60_000;
  throw new ConfigError(`--idle-exit ${minutes}: must be a number of minutes, up to ${maxIdleMinutes}.`);
}

/** The output for programs: one line of JSON. */
export function bannerJson({ url, token }: Running): string {
  return `${JSON.stringify({ url, pid: process.pid, ...(token === undefined ? {} : { token }) })}\n`;
}
