import type { optionReasons } from '../../../core/reasons/options.js';
import { askOperatorTo, either, given, sentences, stillOpen } from './sentences.js';
import type { StepsFor } from './steps.js';

const fullTrust = askOperatorTo('set CLAUDE_CODE_MCP_CALLER_TRUST=full');

export const optionSteps: StepsFor<typeof optionReasons> = {
  folder_unusable: () => 'Pass the absolute path of an existing folder.',
  folder_outside_roots: () => 'Pass a folder that lies in CLAUDE_CODE_MCP_ROOTS.',
  folder_too_wide: () => 'Pass the folder of a project.',
  folder_has_audit_log: () => either('pass another folder', askOperatorTo('move CLAUDE_CODE_MCP_AUDIT_LOG')),
  folder_has_own_files: () =>
    either('pass the folder of a project', askOperatorTo('move CLAUDE_CODE_MCP_STATE_DIR')),
  folder_fixed: (_params, { keys, startAgain }) =>
    either(
      `leave ${keys('cwd')} out`,
      given(startAgain, (start) => `${start} in the other folder`),
    ),
  persistence_fixed: (_params, { startAgain }) => either('leave it out', startAgain),
  path_relative: () => 'Give the whole path.',
  schema_invalid: () => 'Give a valid JSON Schema.',
  option_unsupported: () => 'Leave it out.',
  server_name_reserved: () => 'Give yours another name.',
  server_name_taken: () => either('give the server another name', fullTrust),
  option_untrusted: () => either('leave it out', fullTrust),
  over_cap: ({ cap, setting }) => either(`ask for ${cap} or less`, askOperatorTo(`raise ${setting}`)),
  pre_approval_refused: ({ harmless }) =>
    sentences(
      either('leave it out and it will be asked for', askOperatorTo('list it in CLAUDE_CODE_MCP_PREALLOW')),
      `Always allowed: ${harmless.join(', ')}.`,
    ),
  pre_approval_unbounded: (_params, { keys, resumeWith }) =>
    sentences(
      either(
        `leave ${keys('allowedTools')} out`,
        given(resumeWith, (resume) => `resume a session that has them with ${resume('allowedTools', '[]')}`),
      ),
      'What Claude wants to do is then asked for.',
    ),
  mode_unlisted: ({ modes }) =>
    `Use one of ${modes.join(', ')}. The operator decides with CLAUDE_CODE_MCP_CALLER_MODES.`,
  mode_unasking: () =>
    'Use "default": a person is asked. The operator decides with CLAUDE_CODE_MCP_APPROVALS and CLAUDE_CODE_MCP_PREALLOW.',
  bypass_refused: (_params, { respond, resumeWith, enableBypass, keys }) =>
    sentences(
      either(
        given(enableBypass, (call) => `enable it with ${call}`),
        `use "default"${respond === undefined ? '' : ` and answer with ${respond}`}`,
        'use "acceptEdits"',
      ),
      given(
        resumeWith,
        (resume) =>
          `To resume a session that had it, set ${keys('permissionMode')} in ${resume('permissionMode')}.`,
      ),
      enableBypass === undefined
        ? either(
            askOperatorTo('set CLAUDE_CODE_MCP_CALLER_TRUST=full'),
            'to serve the toolset "configure", which can enable it for a while',
          )
        : undefined,
    ),
  bypass_too_late: (_params, { startAgain, fork }) =>
    either(
      startAgain,
      given(fork, (reply) => `${reply} to go on in a copy`),
    ),
  bypass_needs_person: ({ canAskPerson }) =>
    canAskPerson
      ? 'Leave it off, or ask the person to approve the form.'
      : 'Leave it off, or connect with a client that can show forms (elicitation).',
  user_settings_left_out: (_params, { keys }) =>
    either('add "user"', `leave ${keys('settingSources')} out`, fullTrust),
  slash_commands_unasked: () =>
    either('write the prompt out', askOperatorTo('change CLAUDE_CODE_MCP_APPROVALS')),
  slash_commands_untrusted: () =>
    either(
      'run `claude` there once and trust it',
      askOperatorTo('list it in CLAUDE_CODE_MCP_TRUSTED_ROOTS'),
      'write the prompt out',
    ),
  permission_updates_unbounded: () => stillOpen('Allow this one call.'),
};
