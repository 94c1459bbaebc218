import type { attachmentReasons } from '../../../core/reasons/attachments.js';
import { askOperatorTo, either, given } from './sentences.js';
import type { StepsFor } from './steps.js';

const nameIt = 'name the path in the prompt, so that the session asks before it reads the file';

export const attachmentSteps: StepsFor<typeof attachmentReasons> = {
  attachment_unusable: () =>
    "Pass the path of an existing image, PDF or text file, absolute or relative to the session's folder.",
  attachment_type: () =>
    either(
      'convert it',
      'leave it out and name its path in the prompt, so that Claude opens it with its tools',
    ),
  attachment_too_large: () =>
    either(
      'attach a smaller file',
      'leave it out and name its path in the prompt, so that Claude reads parts of it',
    ),
  attachments_too_large: () => either('attach fewer files', 'spread them over several prompts'),
  attachment_outside: (_params, { keys, has, startAgain }) =>
    either(
      "copy it into the session's folder",
      has('additionalDirectories') ? `add its folder to ${keys('additionalDirectories')}` : undefined,
      has('additionalDirectories') ? undefined : given(startAgain, (start) => `${start} in its folder`),
    ),
  attachment_protected: () => 'Leave it out.',
  attachment_denied: () => either('leave it out', askOperatorTo('change the rule')),
  attachment_needs_approval: () => either('leave it out', nameIt),
  queue_too_large: (_params, { check }) => given(check, (tool) => `Wait with ${tool} until some have run.`),
};
