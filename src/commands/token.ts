import type { Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import { scopes, type Scope } from '../http/auth/identity.js';
import { tokenIdOf, type SavedToken, type TokenFile } from '../http/auth/token-file.js';
import type { UseTimes } from '../http/auth/last-uses.js';
import { dateOf, table } from './table.js';
import { withReasons } from './with-reasons.js';

export interface TokenCommandSettings {
  readonly tokens: TokenFile;
  readonly lastUses: () => Promise<UseTimes>;
  /** The principals that the operator has configured. */
  readonly principals: readonly string[];
  readonly now: number;
}

type Wanted = Pick<Arguments, 'operand' | 'own' | 'json'>;

/** The output of each token command. */
export const tokenCommands: Readonly<
  Record<
    'token create' | 'token list' | 'token revoke',
    (args: Wanted, settings: TokenCommandSettings) => Promise<string>
  >
> = {
  'token create': (args, settings) => withReasons(() => create(args, settings)),
  'token list': (args, settings) => withReasons(() => list(args, settings)),
  'token revoke': (args, settings) => withReasons(() => revoke(args, settings)),
};

const day = 86_400_000;
const maxDays = 3_650;

async function create(
  { operand: name = '', own, json }: Wanted,
  settings: TokenCommandSettings,
): Promise<string> {
  const { tokens, principals, now } = settings;
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw new ConfigError(
      `${name}: must be a name of up to 64 letters, digits, dots, dashes or underscores, such as laptop`,
    );
  const { principal = 'owner' } = own;
  if (!principals.includes(principal))
    throw new ConfigError(
      `--principal ${principal}: not configured. Principals: ${principals.join(', ')}. Add others to "principals" in the config file, and pass it with --config.`,
    );
  const granted = scopesOf(own.scope ?? 'call,approve');
  const expiresAt = own['expires-days'] === undefined ? undefined : now + daysOf(own['expires-days']) * day;
  const token = await tokens.create({ name, principal, scopes: granted, now, expiresAt });
  if (json)
    return `${JSON.stringify({ name, principal, scopes: granted, expiresAt: dateOrNone(expiresAt), token })}\n`;
  const expiry = dateOrNone(expiresAt) ?? 'never';
  return `Created token ${name}. Principal: ${principal}. Scopes: ${granted.join(', ')}. Expires: ${expiry}.

Token (shown only once): ${token}

Clients send it as a header:
  Authorization: Bearer ${token}
`;
}

async function list({ json }: Wanted, { tokens, lastUses, now }: TokenCommandSettings): Promise<string> {
  const uses = await lastUses();
  const rows = (await tokens.list()).map((token) => ({
    name: token.name,
    principal: token.principal,
    scopes: token.scopes,
    createdAt: dateOf(token.createdAt),
    expiresAt: dateOrNone(token.expiresAt),
    lastUsedAt: dateOrNone(uses[tokenIdOf(token)]),
    isExpired: isExpired(token, now),
  }));
  if (json) return `${JSON.stringify(rows)}\n`;
  if (rows.length === 0) return 'There are no tokens. Create one: claude-code-mcp token create <name>\n';
  return table([
    ['NAME', 'PRINCIPAL', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED'],
    ...rows.map((row) => [
      row.name,
      row.principal,
      row.scopes.join(','),
      row.createdAt,
      row.expiresAt === undefined ? 'never' : `${row.expiresAt}${row.isExpired ? ' (expired)' : ''}`,
      row.lastUsedAt ?? 'never',
    ]),
  ]);
}

async function revoke({ operand: name = '' }: Wanted, { tokens }: TokenCommandSettings): Promise<string> {
  await tokens.revoke(name);
  return `Revoked token ${name}. A running service refuses it from now on.\n`;
}

/** A token is expired from this moment on, not after it. */
function isExpired({ expiresAt }: SavedToken, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

function scopesOf(text: string): Scope[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !scopes.some((scope) => scope === word));
  if (unknown !== undefined)
    throw new ConfigError(
      `--scope ${text}: must be one or more of ${scopes.join(', ')}, separated by commas`,
    );
  const granted = scopes.filter((scope) => words.includes(scope));
  if (granted.length === 1 && granted[0] === 'approve')
    throw new ConfigError(
      '--scope approve: a client with this token could not connect, because /mcp needs the scope call. Pass --scope call,approve.',
    );
  return granted;
}

function daysOf(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= maxDays) return days;
  throw new ConfigError(`--expires-days ${text}: must be a whole number from 1 to ${maxDays}`);
}

function dateOrNone(at: number | undefined): string | undefined {
  return at === undefined ? undefined : dateOf(at);
}
