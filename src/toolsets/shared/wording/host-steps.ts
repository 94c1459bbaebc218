import type { hostReasons } from '../../../core/reasons/host.js';
import { askOperatorTo, either, given, sentences } from './sentences.js';
import type { StepsFor } from './steps.js';
import type { Vocabulary } from './vocabulary.js';

/** On Windows, Claude Code refuses to start without a shell. */
const needsGitBash = /git.?bash/i;

const askClaude = 'ask Claude to undo its changes';

export const hostSteps: StepsFor<typeof hostReasons> = {
  init_timeout: (_params, { initTimeout }) =>
    sentences(
      "Check that the server's machine can reach api.anthropic.com: without it, Claude Code needs 20 seconds to start.",
      either(
        initTimeout === undefined ? 'try again' : `try again with a larger ${initTimeout}`,
        askOperatorTo('raise CLAUDE_CODE_MCP_START_TIMEOUT_MS'),
      ),
    ),
  no_process_to_spare: () => 'Try again in a moment.',
  claude_not_started: () =>
    either('install Claude Code', askOperatorTo('set CLAUDE_CODE_PATH to its executable')),
  claude_ended_early: ({ problem, stderrTail }) =>
    needsGitBash.test(`${problem} ${stderrTail}`)
      ? either(
          "install Git for Windows on the server's machine",
          askOperatorTo('set CLAUDE_CODE_GIT_BASH_PATH to its bash.exe'),
        )
      : "Run `claude --version` on the server's machine to check that Claude Code works.",
  sdk_missing: ({ packageName }) =>
    either(
      askOperatorTo('start this server with --backend cli, which needs only `claude` on the PATH'),
      `to install the npm package ${packageName} in the server's folder`,
    ),
  not_signed_in: ({ executable, configDir, isStart }, words) =>
    signIn({ executable, configDir }, words, isStart === true ? 'try again' : words.retry),
  executable_in_folder: () =>
    either('use another folder', askOperatorTo('set CLAUDE_CODE_PATH to an executable elsewhere')),
  version_unfit: () => updateClaude,
  version_unknown: () => updateClaude,
  change_refused: (_params, { interrupt }) =>
    either(
      'choose another value',
      given(interrupt, (stop) => `${stop('the session')} and try again`),
    ),
  restore_failed: () => `Try again. If it fails again, ${askClaude}.`,
  session_not_lockable: () =>
    either(askOperatorTo('check that the folder CLAUDE_CODE_MCP_STATE_DIR is writable')),
  state_folder_unsafe: () =>
    either(
      askOperatorTo(
        'repair it, or to set CLAUDE_CODE_MCP_STATE_DIR to a folder that belongs to them and that only they can write to',
      ),
    ),
  state_newer: () =>
    either(askOperatorTo('update this server'), 'to set CLAUDE_CODE_MCP_STATE_DIR to another folder'),
  not_saved: () => either(askOperatorTo('check the disk of the state folder, then try again')),
  audit_unwritable: () =>
    sentences(
      'Ask the operator to free disk space or repair the file, then try again.',
      'Until then you can still watch and stop sessions.',
    ),
  processes_busy: (_params, { check, cancel, interrupt, setting }) =>
    either(
      check === undefined ? 'wait until one is idle' : 'answer open requests, wait until one is idle',
      cancel ?? interrupt?.('one'),
      askOperatorTo(`raise ${setting('maxSessions')}`),
    ),
  budget_reserved: () => 'Try again when the running turns have ended.',
  no_budget: () => either(askOperatorTo('raise CLAUDE_CODE_MCP_MAX_BUDGET_USD')),
  day_budget_spent: (_params, { setting }) =>
    either('try again tomorrow (UTC)', askOperatorTo(`raise ${setting('maxBudgetUsdPerDay')}`)),
  session_budget_spent: (_params, { startAgain }) =>
    either(
      given(startAgain, (start) => `${start} with a smaller task`),
      askOperatorTo('raise CLAUDE_CODE_MCP_MAX_BUDGET_USD'),
    ),
  budget_share_spent: (_params, { reply, startAgain }) =>
    either(given(reply, (way) => `${way} to continue with a share of what is left`) ?? startAgain),
  model_calls_spent: (_params, { reply }) =>
    either(
      given(reply, (way) => `${way} to continue`),
      askOperatorTo('raise CLAUDE_CODE_MCP_MAX_TURNS'),
    ),
  run_time_spent: ({ setting }, { reply, startAgain }) =>
    either(
      given(reply, (way) => `${way} to continue`) ??
        given(startAgain, (start) => `${start} with a smaller task`),
      askOperatorTo(`raise ${setting}`),
    ),
  server_fault: () => 'Try again. If it fails again, report the incident id to the operator.',
};

interface SignInPlace {
  /** For people who have no `claude-code-mcp` on their PATH. */
  readonly executable?: string;
  readonly configDir?: string | undefined;
}

export function signIn(
  { executable, configDir }: SignInPlace,
  { command, isLocal }: Pick<Vocabulary, 'command' | 'isLocal'>,
  retry: string | undefined,
): string {
  const other = executable === undefined ? '' : ` or \`${executable} auth login\``;
  const place = configDir === undefined ? '' : ` with CLAUDE_CONFIG_DIR=${configDir}`;
  const ways = isLocal
    ? `Ask a person to run \`${command} login\`${other}${place} on the server's machine, or ask the operator to set ANTHROPIC_API_KEY for this server and restart it`
    : 'Ask the operator of this service to sign Claude Code in for you, or to give you an API key (apiKeyFile)';
  return retry === undefined ? `${ways}.` : `${ways}; then ${retry}.`;
}

const updateClaude = either(
  'update it with `claude update`',
  askOperatorTo('set CLAUDE_CODE_PATH to a supported version'),
);
