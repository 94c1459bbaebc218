import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import { owner } from '../config/principals.js';
import { oneLine } from '../core/text/escape.js';
import { replaceFile } from '../files/atomic-write.js';
import { pairingLifetimeMs, type PairingCodes } from '../http/devices/pairing-codes.js';

/** A page of this user that runs. */
export interface RunningPage {
  readonly origin: string;
  readonly kind: 'service' | 'stdio';
  readonly cwd: string;
}

export interface OpenSettings {
  /** The newest first. */
  readonly pages: readonly RunningPage[];
  readonly codes: PairingCodes;
  /** The principals that the operator has configured. */
  readonly principals: readonly string[];
  /** A private folder. */
  readonly folder: string;
  readonly now: number;
  /** Opens a file in the browser. False if that is not possible. */
  readonly openFile: (path: string) => Promise<boolean>;
}

export interface Opened {
  readonly text: string;
  /** Remarks that are not part of the output of `--print` and `--json`. */
  readonly notes: readonly string[];
}

/** Opens the newest page with a fresh pairing link. */
export async function open(
  { own, json }: Pick<Arguments, 'own' | 'json'>,
  settings: OpenSettings,
): Promise<Opened> {
  const { principal = owner, print } = own;
  const { pages, codes, principals, now } = settings;
  if (!principals.includes(principal))
    throw new ConfigError(
      `--principal ${principal}: not configured. Principals: ${principals.join(', ')}. Pass the config file of the service with --config.`,
    );
  // A server over stdin and stdout has sessions of the owner only.
  const [page, ...others] = pages.filter(({ kind }) => kind === 'service' || principal === owner);
  if (page === undefined) throw new ConfigError(principal === owner ? noPage : noService);
  const link = `${page.origin}/#pair=${await codes.create({ principal, now })}`;
  const notes = others.map((other) => `Another page is running: ${describe(other)}`);
  const expiresAt = new Date(now + pairingLifetimeMs).toISOString();
  if (json) return { text: `${JSON.stringify({ url: link, expiresAt })}\n`, notes };
  if (print !== undefined) return { text: `${link}\n`, notes };
  const isOpened = await openLink(link, settings);
  const text = isOpened
    ? `Opened ${describe(page)} in your browser.\nIf nothing appears, open this link within two minutes. It works once:\n  ${link}\n`
    : `Open this link in your browser within two minutes. It works once:\n  ${link}\n`;
  return { text, notes };
}

const noPage =
  'no page is running in this state folder. Start a service with "claude-code-mcp serve", or add --web 127.0.0.1:0 to the arguments of the server in your MCP client and restart the client. Then run this command again. If CLAUDE_CODE_MCP_WEB=off is set, remove it.';
const noService =
  'no service is running. Start one with "claude-code-mcp serve", and run this command again.';

function describe({ origin, kind, cwd }: RunningPage): string {
  return kind === 'service'
    ? `${origin} (service)`
    : `${origin} (server of an MCP client, in ${oneLine(cwd, 300)})`;
}

/** Uses a file, because other users of this machine can read the arguments of every program. */
async function openLink(link: string, { folder, openFile }: OpenSettings): Promise<boolean> {
  const path = join(folder, 'open.html');
  await replaceFile(path, redirectTo(link));
  const isOpened = await openFile(path);
  if (!isOpened) await rm(path, { force: true });
  return isOpened;
}

/** Origins and codes contain nothing that HTML would interpret. */
function redirectTo(link: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Claude Code sessions</title>
<p><a href="${link}">Open the page</a>. The link works once, within two minutes.</p>
`;
}
