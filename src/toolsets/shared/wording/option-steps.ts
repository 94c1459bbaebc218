import type { optionReasons } from '../../../core/reasons/options.js';
import { askOperatorTo, either, given, sentences } from './sentences.js';
import type { StepsFor } from './steps.js';
import type { Vocabulary } from './vocabulary.js';

const fullTrust = askOperatorTo('set CLAUDE_CODE_MCP_CALLER_TRUST=full');

/** What helps every call that names no folder. */
const setDefault = (folder: string): string => askOperatorTo(`set CLAUDE_CODE_DEFAULT_CWD to ${folder}`);

export const optionSteps: StepsFor<typeof optionReasons> = {
  folder_unusable({ option, meant }, { keys, startAgain }) {
    if (option === 'sessionCwd') return either('restore the folder', startAgain);
    if (option === 'defaultCwd') return either(`pass ${keys('cwd')}`, setDefault('an existing folder'));
    return meant === undefined ? 'Pass the absolute path of an existing folder.' : `Pass ${meant}.`;
  },
  folder_outside_roots: ({ option, roots }, words) =>
    otherFolder(option, `a folder inside ${rootsIn(roots, words)}`, 'add this one to it', words),
  folder_too_wide: ({ option }, words) =>
    otherFolder(option, 'a project folder', `add this folder to ${words.setting('roots')}`, words),
  folder_has_audit_log: ({ option }, words) =>
    otherFolder(option, 'another folder', 'move the audit log (CLAUDE_CODE_MCP_AUDIT_LOG)', words),
  folder_has_own_files: ({ option }, words) =>
    otherFolder(
      option,
      'a project folder',
      'move the files (CLAUDE_CODE_MCP_STATE_DIR, XDG_CONFIG_HOME)',
      words,
    ),
  folder_fixed: (_params, { keys, startAgain }) =>
    either(
      `leave ${keys('cwd')} out`,
      given(startAgain, (start) => `${start} in the other folder`),
    ),
  folder_moved: (_params, { startAgain }) => either('restore the folder', startAgain),
  persistence_fixed: (_params, { startAgain }) => either('leave it out', startAgain),
  path_relative: () => 'Pass an absolute path.',
  schema_invalid: () => 'Pass a valid JSON Schema.',
  launch_too_long: (part, { keys }) =>
    'variable' in part
      ? `Shorten the variable where it is set: in ${keys('env')}, or in the environment of the server.`
      : 'Shorten the rules and lists in its options.',
  tool_misspelled: ({ meant }) => `Use "${meant}".`,
  tool_list_needed: ({ option }, { keys }) =>
    either('name each tool, such as Read, Edit and Bash', `leave ${keys(option)} out`),
  tool_unknown: (_params, { keys }) =>
    either('use names such as Read, Edit and Bash', `leave ${keys('tools')} out to have all of them`),
  agent_unknown: ({ agents }, { keys }) =>
    either(
      agents.length === 0 ? undefined : `use one of ${agents.slice(0, 20).join(', ')}`,
      `define it in ${keys('agents')}`,
    ),
  sandbox_unavailable: (_params, { keys, has }) => {
    // In codex, an option of this name is a permission mode.
    const isOption = has('sandbox') && keys('sandbox') !== keys('permissionMode');
    return either(
      "ask a person to install what is missing on the server's machine",
      isOption ? `pass null as ${keys('sandbox')} if you asked for it` : undefined,
    );
  },
  server_name_taken: () => either('rename the server', fullTrust),
  option_untrusted: () => either('leave it out', fullTrust),
  over_cap: ({ cap, setting }) =>
    either(cap > 0 ? `use ${cap} or less` : undefined, askOperatorTo(`raise ${setting}`)),
  pre_approval_refused: ({ setting, harmless }) =>
    sentences(
      either('leave it out, so that the session asks for approval', askOperatorTo(`add it to ${setting}`)),
      `Always allowed: ${harmless.join(', ')}.`,
    ),
  pre_approval_outside: ({ rule, setting }, { keys, has }) =>
    either(
      'leave it out (reading inside these folders needs no approval)',
      // Another folder does not help for a whole tool, which is never bounded.
      rule.includes('(') && has('additionalDirectories')
        ? `add the folder to ${keys('additionalDirectories')}`
        : undefined,
      askOperatorTo(`add this rule to ${setting}`),
    ),
  mode_unlisted: ({ mode, modes }, words) =>
    either(useMode(modes, words), askOperatorTo(`add ${mode} to CLAUDE_CODE_MCP_CALLER_MODES`)),
  mode_auto_approving: (_params, words) =>
    either(
      given(useMode(['default'], words), (use) => `${use}, which asks a person`),
      askOperatorTo('change CLAUDE_CODE_MCP_APPROVALS or CLAUDE_CODE_MCP_PREALLOW'),
    ),
  bypass_refused: ({ modes, isPersonNeeded }, { respond, enableBypass, ...words }) => {
    const answering = respond === undefined ? '' : ` and answer requests with ${respond}`;
    return sentences(
      either(
        given(enableBypass, (call) => `enable it with ${call}`),
        given(
          useMode(['default'], words),
          (use) => `${use}${isPersonNeeded ? ', which asks a person' : answering}`,
        ),
        modes.includes('acceptEdits') ? useMode(['acceptEdits'], words) : undefined,
      ),
      enableBypass === undefined ? allowBypass(isPersonNeeded) : undefined,
    );
  },
  bypass_too_late: (_params, { startAgain, fork }) =>
    either(
      startAgain,
      given(fork, (reply) => `${reply} to continue in a copy`),
    ),
  bypass_needs_person: ({ canAskPerson }) =>
    canAskPerson
      ? 'Leave it off, or ask the person to approve the form.'
      : 'Leave it off, or connect with a client that can show forms (elicitation).',
  user_settings_left_out: (_params, { keys }) =>
    either('add "user"', `leave ${keys('settingSources')} out`, fullTrust),
  rules_too_long: () =>
    "Shorten the rules in the user's settings.json, or in .claude/settings.json and .claude/settings.local.json of the folder.",
  settings_too_long: () => 'Shorten this file, or work in another folder.',
  slash_commands_skip_approval: () =>
    either('write the prompt without slash commands', askOperatorTo('change CLAUDE_CODE_MCP_APPROVALS')),
  slash_commands_unlisted: ({ setting }) =>
    either('write the prompt without slash commands', askOperatorTo(`add Skill to ${setting}`)),
  slash_commands_untrusted: (_params, { setting, command }) =>
    either(
      `run \`${command} trust .\` there`,
      askOperatorTo(`add it to ${setting('trustedRoots')}`),
      'write the prompt without slash commands',
    ),
  agent_skills_skip_approval: () =>
    either(
      'leave it out, so that the agent asks before it uses a skill',
      askOperatorTo('change CLAUDE_CODE_MCP_APPROVALS'),
    ),
};

/** To work in another folder, or to have the operator do something. A session that is continued stays in its own folder. */
function otherFolder(
  option: string,
  folder: string,
  operatorsPart: string,
  { keys, startAgain }: Vocabulary,
): string | undefined {
  if (option === 'defaultCwd') return either(`pass ${keys('cwd')}`, setDefault(folder));
  const own =
    option === 'sessionCwd' ? given(startAgain, (start) => `${start} in ${folder}`) : `pass ${folder}`;
  return either(own, askOperatorTo(operatorsPart));
}

/** A caller cannot read the variable, so it needs the folders themselves. */
function rootsIn(roots: readonly string[], { isLocal, setting }: Vocabulary): string {
  const variable = setting('roots');
  return isLocal ? `${roots.slice(0, 5).join(' or ')} (${variable})` : variable;
}

function allowBypass(isPersonNeeded: boolean): string | undefined {
  const addTool = 'to add "configure" to CLAUDE_CODE_MCP_TOOLSETS';
  return isPersonNeeded
    ? `To use it, ask the operator ${addTool}, with which a person can enable it for 30 minutes.`
    : either(`to use it, ${fullTrust}`, `${addTool}, whose tool enables it for 30 minutes`);
}

/** To choose one of these modes, as far as the tools take them. */
function useMode(modes: readonly string[], { valueOf }: Pick<Vocabulary, 'valueOf'>): string | undefined {
  const values = modes.map((mode) => valueOf('permissionMode', mode)).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : `use ${values.map((value) => `"${value}"`).join(' or ')}`;
}
