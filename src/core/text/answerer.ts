const answerers = {
  page: 'a person on the page',
  rule: 'a rule',
  caller: 'the client that started the session',
  elicitation: 'a form in the client',
  timeout: 'the deadline',
  interrupt: 'an interruption of the session',
  cancel: 'the cancellation of the session',
  withdrawn: 'Claude Code, which withdrew the request',
  shutdown: 'the shutdown of the server',
} as const;

/** Who or what settled a request, after "by". `device` is that of the person. */
export function answererInWords(by: keyof typeof answerers, device: string | undefined): string {
  return device === undefined ? answerers[by] : `a person on “${device}”`;
}
