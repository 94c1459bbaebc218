import type { Finding } from './check.js';

export interface NetworkFacts {
  /** Where Claude Code sends its requests: host and port. */
  readonly api: string;
  /** The proxy that it uses for that, without its password. */
  readonly proxy: string | undefined;
  /** Why no connection to the first of them is possible. */
  readonly problem: string | undefined;
}

export function checkNetwork({ api, proxy, problem }: NetworkFacts): Finding {
  const id = 'network';
  if (problem === undefined)
    return {
      id,
      status: 'ok',
      message:
        proxy === undefined ? `${api} can be reached.` : `The proxy for ${api}, ${proxy}, can be reached.`,
    };
  return proxy === undefined
    ? {
        id,
        status: 'fail',
        message: `${api} cannot be reached: ${problem}. Claude Code then starts late or not at all.`,
        fix: 'Check your network, DNS and firewall. Behind a proxy, set HTTPS_PROXY in the environment of the server.',
      }
    : {
        id,
        status: 'fail',
        message: `The proxy for ${api}, ${proxy}, cannot be reached: ${problem}. Claude Code then starts late or not at all.`,
        fix: 'Correct HTTPS_PROXY or HTTP_PROXY, or list the host in NO_PROXY.',
      };
}
