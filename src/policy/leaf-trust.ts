import { AppError } from '../core/errors.js';
import type { RequestedOptions } from '../core/options/index.js';
import { isPrivateUrl } from './private-address.js';
import type { PolicySettings } from './settings.js';

/** Returns undefined if a caller may set the value; otherwise what setting it would do. */
type Verdict = (value: unknown) => string | undefined;

const anybody: Verdict = () => undefined;
const onlyTrusted =
  (what: string): Verdict =>
  () =>
    what;
const only =
  (accepted: unknown, what: string): Verdict =>
  (value) =>
    value === accepted ? undefined : what;

/** Claude Code expands `${NAME}` from the server's environment: a header could send the API key elsewhere. */
const plainText: Verdict = (value) =>
  typeof value === 'string' && value.includes('${') ? 'would expand environment variables' : undefined;

const remoteUrl: Verdict = (value) =>
  plainText(value) ?? (isPrivateUrl(String(value)) ? 'points to a private or local address' : undefined);

/** Variables that affect neither what runs nor where it connects. */
const harmlessVariables: ReadonlySet<string> = new Set([
  'CI',
  'NO_COLOR',
  'FORCE_COLOR',
  'TZ',
  'LANG',
  'LC_ALL',
  'NODE_ENV',
  'MAX_THINKING_TOKENS',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_MAX_RETRIES',
  'BASH_DEFAULT_TIMEOUT_MS',
  'BASH_MAX_TIMEOUT_MS',
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
  slashCommands: anybody,
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
  'sandbox.enabled': only(true, loosens),
  'sandbox.failIfUnavailable': only(true, loosens),
  'sandbox.autoAllowBashIfSandboxed': only(false, 'would skip approval'),
  'sandbox.allowUnsandboxedCommands': only(false, loosens),
  'sandbox.excludedCommands.*': onlyTrusted(loosens),
  'sandbox.network.allowedDomains.*': onlyTrusted(loosens),
  'sandbox.network.deniedDomains.*': anybody,
  'sandbox.network.allowLocalBinding': only(false, loosens),
  pathToClaudeCodeExecutable: runsProgram,
  debug: onlyTrusted('writes session contents to a file'),
  debugFile: onlyTrusted('can write to any file'),
  persistSession: anybody,
  enableFileCheckpointing: anybody,
};

/** Checks every leaf of the requested options at any depth, and refuses those that run code or skip approval. */
export function refuseUntrustedLeaves(requested: RequestedOptions, policy: PolicySettings): void {
  if (policy.callerTrust === 'full') return;
  for (const [path, value] of leavesOf(requested, [])) {
    const what = verdictOn(path, value);
    if (what === undefined) continue;
    throw new AppError('option_untrusted', { path, problem: what });
  }
}

export function isHarmlessVariable(name: string): boolean {
  return harmlessVariables.has(name);
}

function verdictOn(path: readonly string[], value: unknown): string | undefined {
  const [option, name = ''] = path;
  if (option === 'env')
    return harmlessVariables.has(name) ? undefined : 'is not on the list of harmless variables';
  const verdict = Object.entries(leaves).find(([pattern]) => matches(pattern.split('.'), path))?.[1];
  return verdict === undefined ? 'is not known to be safe' : verdict(value);
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === '**') {
    const start = pattern.slice(0, -1);
    return path.length >= start.length && matches(start, path.slice(0, start.length));
  }
  return (
    pattern.length === path.length && pattern.every((part, index) => part === '*' || part === path[index])
  );
}

/**
 * Returns every value that is not an object or list, with its path. Empty objects and lists contain nothing to judge.
 */
function leavesOf(value: unknown, path: readonly string[]): [readonly string[], unknown][] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}
