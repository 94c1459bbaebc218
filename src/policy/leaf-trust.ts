import { AppError } from '../core/errors.js';
import type { RequestedOptions } from '../core/options/index.js';
import { isPrivateUrl } from './private-address.js';
import type { PolicySettings } from './settings.js';

/** Who may set a leaf. */
interface Verdict {
  /** Returns undefined if any caller may set the value; otherwise what setting it would do. */
  readonly problemWith: (value: unknown) => string | undefined;
  /** The value that any caller may set, where there is exactly one. */
  readonly narrower?: unknown;
}

const anybody: Verdict = { problemWith: () => undefined };
const onlyTrusted = (what: string): Verdict => ({ problemWith: () => what });
const only = (accepted: unknown, what: string): Verdict => ({
  problemWith: (value) => (value === accepted ? undefined : what),
  narrower: accepted,
});

/** Claude Code expands `${NAME}` from the server's environment: a header could send the API key elsewhere. */
const expansionIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.includes('${') ? 'would expand environment variables' : undefined;
const plainText: Verdict = { problemWith: expansionIn };

const remoteUrl: Verdict = {
  problemWith: (value) =>
    expansionIn(value) ?? (isPrivateUrl(String(value)) ? 'points to a private or local address' : undefined),
};

/**
 * In other encodings, a shell can read a sign as a part of the character before it: a backslash, for example. It would
 * run another command than the one that was approved.
 */
const locale: Verdict = {
  problemWith: (value) =>
    // After `@`, the name of an encoding would be that of a variant, which is ignored.
    /^(?:C|POSIX|(?:C|[a-z]{2,3}(?:_[a-z]{2,3})?)\.utf-?8)$/i.test(String(value))
      ? undefined
      : 'would change how shells read commands (use C, POSIX or a UTF-8 locale)',
};

/**
 * Programs load files whose names contain such a value (`config/$NODE_ENV.js`), and put it into commands, where a blank
 * or a dash could add an option. Nobody who approves a command sees it.
 */
const plainWord: Verdict = {
  problemWith: (value) =>
    /^(?:-?\d+|\w[\w.+-]*)?$/.test(String(value))
      ? undefined
      : 'could name a file or a command (use one word of letters and digits)',
};

/** The C library reads a file for it: one of its own, or that of a path. A name in `<>` has digits or signs. */
const timeZone: Verdict = {
  problemWith: (value) =>
    /^(?![/:.]|.*\.\.)(?:<[+\-\w]+>|[\w.+\-/:,])*$/.test(String(value))
      ? undefined
      : 'could name a file (use a name such as Europe/Berlin)',
};

/** Variables whose plain values affect neither what runs nor where it connects. */
const harmlessVariables: ReadonlyMap<string, Verdict> = new Map([
  ['CI', plainWord],
  ['NO_COLOR', plainWord],
  ['FORCE_COLOR', plainWord],
  ['TZ', timeZone],
  ['LANG', locale],
  ['LC_ALL', locale],
  ['NODE_ENV', plainWord],
  ['MAX_THINKING_TOKENS', plainWord],
  ['CLAUDE_CODE_MAX_OUTPUT_TOKENS', plainWord],
  ['CLAUDE_CODE_MAX_RETRIES', plainWord],
  ['BASH_DEFAULT_TIMEOUT_MS', plainWord],
  ['BASH_MAX_TIMEOUT_MS', plainWord],
]);

const runsProgram = onlyTrusted('runs a program outside the permission system');
const skipsApproval = onlyTrusted('would skip approval');
const loosens = 'would loosen the sandbox';

const server: Readonly<Record<string, Verdict>> = {
  type: anybody,
  url: remoteUrl,
  'headers.*': plainText,
  timeout: anybody,
  alwaysLoad: anybody,
  command: runsProgram,
  'args.*': runsProgram,
  'env.*': runsProgram,
  headersHelper: runsProgram,
};

const tightens = (value: unknown): Verdict => only(value, loosens);
const changesSandbox = onlyTrusted(loosens);

/** A credential that is denied stays inside; a masked one is sent to hosts that the entry names. */
const credential: Readonly<Record<string, Verdict>> = {
  mode: tightens('deny'),
  extract: changesSandbox,
  onExtractNoMatch: changesSandbox,
  decode: changesSandbox,
  'maskClaims.*': changesSandbox,
  'injectHosts.*': changesSandbox,
};

const sandbox: Readonly<Record<string, Verdict>> = {
  // `false` is judged together with the facts, because it loosens only a sandbox that exists.
  enabled: anybody,
  failIfUnavailable: tightens(true),
  autoAllowBashIfSandboxed: only(false, 'would skip approval'),
  allowUnsandboxedCommands: tightens(false),
  'excludedCommands.*': changesSandbox,
  'network.allowedDomains.*': changesSandbox,
  'network.deniedDomains.*': anybody,
  'network.strictAllowlist': tightens(true),
  'network.allowManagedDomainsOnly': tightens(true),
  'network.allowUnixSockets.*': changesSandbox,
  'network.allowAllUnixSockets': tightens(false),
  'network.allowLocalBinding': tightens(false),
  'network.allowMachLookup.*': changesSandbox,
  'network.httpProxyPort': changesSandbox,
  'network.socksProxyPort': changesSandbox,
  // Even an empty object turns it on.
  'network.tlsTerminate': changesSandbox,
  'network.tlsTerminate.*': changesSandbox,
  'filesystem.allowWrite.*': changesSandbox,
  'filesystem.denyWrite.*': anybody,
  'filesystem.denyRead.*': anybody,
  'filesystem.allowRead.*': changesSandbox,
  'filesystem.allowManagedReadPathsOnly': tightens(true),
  'filesystem.disabled': tightens(false),
  'credentials.files.*.path': anybody,
  'credentials.files.*.maskDuplicates': changesSandbox,
  'credentials.envVars.*.name': anybody,
  ...Object.fromEntries(
    Object.entries(credential).flatMap(([key, verdict]) => [
      [`credentials.files.*.${key}`, verdict],
      [`credentials.envVars.*.${key}`, verdict],
    ]),
  ),
  'credentials.allowPlaintextInject': tightens(false),
  'credentials.awsPairs.**': changesSandbox,
  'credentials.sigv4.*': tightens('deny'),
  'ignoreViolations.**': changesSandbox,
  enableWeakerNestedSandbox: tightens(false),
  allowNestedUserNamespaces: tightens(false),
  enableWeakerNetworkIsolation: tightens(false),
  allowAppleEvents: tightens(false),
  'ripgrep.**': runsProgram,
  bwrapPath: runsProgram,
  socatPath: runsProgram,
};

/** Who may set each leaf of the options, by its path; `*` matches any key or index. Anything not listed is refused. */
const leaves: Readonly<Record<string, Verdict>> = {
  cwd: anybody,
  'additionalDirectories.*': anybody,
  'settingSources.*': anybody,
  model: anybody,
  systemPrompt: anybody,
  'systemPrompt.type': anybody,
  'systemPrompt.preset': anybody,
  'systemPrompt.append': anybody,
  title: anybody,
  effort: anybody,
  'thinking.type': anybody,
  'thinking.budgetTokens': anybody,
  fallbackModel: anybody,
  'betas.*': anybody,
  planModeInstructions: anybody,
  permissionMode: anybody,
  'allowedTools.*': anybody,
  'disallowedTools.*': anybody,
  'tools.*': anybody,
  skills: anybody,
  'skills.*': anybody,
  // Claude Code acts on such a prompt before any tool call. `/config` even changes the settings of the user.
  slashCommands: only(false, 'would run commands and read files before anyone could be asked'),
  maxTurns: anybody,
  maxBudgetUsd: anybody,
  permissionRequestTimeoutMs: anybody,
  timeoutMs: anybody,
  sessionInitTimeoutMs: anybody,
  'outputFormat.type': anybody,
  'outputFormat.schema.**': anybody,
  includePartialMessages: anybody,
  forwardSubagentText: anybody,
  'agents.*.description': anybody,
  'agents.*.prompt': anybody,
  'agents.*.tools.*': anybody,
  'agents.*.disallowedTools.*': anybody,
  'agents.*.model': anybody,
  'agents.*.effort': anybody,
  'agents.*.maxTurns': anybody,
  'agents.*.skills.*': anybody,
  'agents.*.background': anybody,
  'agents.*.mcpServers.**': runsProgram,
  'agents.*.permissionMode': skipsApproval,
  'agents.*.initialPrompt': onlyTrusted('would be expanded like a typed prompt'),
  agent: anybody,
  ...Object.fromEntries(Object.entries(server).map(([key, verdict]) => [`mcpServers.*.${key}`, verdict])),
  strictMcpConfig: anybody,
  ...Object.fromEntries(Object.entries(sandbox).map(([key, verdict]) => [`sandbox.${key}`, verdict])),
  pathToClaudeCodeExecutable: runsProgram,
  debug: only(false, 'writes session contents to a file'),
  debugFile: onlyTrusted('can write to any file'),
  persistSession: anybody,
  enableFileCheckpointing: anybody,
};

const patterns = Object.entries(leaves).map(([path, verdict]) => ({ parts: path.split('.'), verdict }));

/** Checks every leaf of the requested options at any depth, and refuses those that run code or skip approval. */
export function refuseUntrustedLeaves(requested: RequestedOptions, policy: PolicySettings): void {
  if (policy.callerTrust === 'full') return;
  for (const [path, value] of leavesOf(requested, [])) {
    const problem = verdictOn(path, value).problemWith(value);
    if (problem !== undefined) throw new AppError('option_untrusted', { path, problem });
  }
}

/**
 * Returns what any caller may set of an option: without the refused leaves, or with the narrower value where there is
 * one.
 */
export function withoutUntrustedLeaves(option: string, value: unknown, policy: PolicySettings): unknown {
  return policy.callerTrust === 'full' ? value : narrowed([option], value);
}

function narrowed(path: readonly string[], value: unknown): unknown {
  if (isBranch(value)) {
    const entries = Object.entries(value).map(
      ([key, inner]) => [key, narrowed([...path, key], inner)] as const,
    );
    const isWhole = entries.every(([key, inner]) => inner === value[key]);
    // A server without its address is none.
    if (isWhole || (path.length === 2 && path[0] === 'mcpServers')) return isWhole ? value : undefined;
    const kept = entries.filter(([, inner]) => inner !== undefined);
    if (kept.length === 0) return undefined;
    return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
  }
  const verdict = verdictOn(path, value);
  return verdict.problemWith(value) === undefined ? value : verdict.narrower;
}

export function isHarmlessVariable(name: string): boolean {
  return harmlessVariables.has(name);
}

const harmful = onlyTrusted('is not on the list of harmless variables');
const unknown = onlyTrusted('is not known to be safe');

function verdictOn(path: readonly string[], value: unknown): Verdict {
  const [option, name] = path;
  if (option === 'env' && name !== undefined) return harmlessVariables.get(name) ?? harmful;
  const verdict = patterns.find(({ parts }) => matches(parts, path))?.verdict;
  // An empty object or list contains nothing to judge, unless it means something by itself.
  return verdict ?? (typeof value === 'object' && value !== null ? anybody : unknown);
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === '**') {
    const start = pattern.slice(0, -1);
    return path.length > start.length && matches(start, path.slice(0, start.length));
  }
  return (
    pattern.length === path.length && pattern.every((part, index) => part === '*' || part === path[index])
  );
}

/** Returns every value without parts, with its path: also empty objects and lists. */
function leavesOf(value: unknown, path: readonly string[]): [readonly string[], unknown][] {
  if (value === undefined) return [];
  if (!isBranch(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
