interface Running {
  readonly url: string;
  readonly token: string | undefined;
}

/** What a person reads when the service has started. */
export function banner({ url, token }: Running): string {
  const shown = token ?? '<token>';
  const first = token === undefined ? '' : `\nToken (shown only now): ${token}\n`;
  return `claude-code-mcp listens on ${url}
${first}
Add it to Claude Code:
  claude mcp add --scope user --transport http claude-code ${url} --header "Authorization: Bearer ${shown}"

Press Ctrl-C to stop it.
`;
}

/** The same for programs, on one line. */
export function bannerJson({ url, token }: Running): string {
  return `${JSON.stringify({ url, pid: process.pid, ...(token === undefined ? {} : { token }) })}\n`;
}
