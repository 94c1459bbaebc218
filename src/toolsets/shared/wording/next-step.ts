import type { AppError } from '../../../core/errors.js';
import type { reasons } from '../../../core/reasons/index.js';
import { answerSteps } from './answer-steps.js';
import { argumentSteps } from './argument-steps.js';
import { attachmentSteps } from './attachment-steps.js';
import { hostSteps } from './host-steps.js';
import { optionSteps } from './option-steps.js';
import { sessionSteps } from './session-steps.js';
import type { StepsFor } from './steps.js';
import type { Vocabulary } from './vocabulary.js';

/** The next step of every reason. A reason without a row here does not compile. */
const steps: StepsFor<typeof reasons> = {
  ...argumentSteps,
  ...optionSteps,
  ...answerSteps,
  ...sessionSteps,
  ...hostSteps,
  ...attachmentSteps,
};

/** What the caller can do about an error, worded for the toolset that it called. */
export function nextStepFor({ reason, params }: AppError, vocabulary: Vocabulary): string | undefined {
  const step: (params: never, words: Vocabulary) => string | undefined = steps[reason];
  return step(params as never, vocabulary);
}
