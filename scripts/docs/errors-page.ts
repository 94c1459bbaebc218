import { AppError, errorCatalogue, formatError, type Actor } from '../../src/core/errors.js';
import { turnFailures, type TurnFailure } from '../../src/core/session/turn-failures.js';
import { code, table } from '../../src/toolsets/reference/markdown.js';
import { generatedNotice } from './markdown.js';

const errorActors: Readonly<Record<Actor, string>> = {
  caller: 'the caller',
  person: 'a person at the machine',
  operator: 'the operator',
  server: 'whoever maintains the server',
};

const failureActors: Readonly<Record<TurnFailure['actor'], string>> = {
  person: 'a person',
  caller: 'the caller',
  wait: 'nobody: wait',
};

const example = formatError(
  new AppError('INVALID_ARGUMENT', 'cursor 999 is past the end (13)', {
    hint: 'Use 0 to read everything that is left.',
  }),
);

/** docs/errors.md: what a call can be refused with, and what a turn can fail with. */
export function errorsPage(): string {
  const errors = Object.entries(errorCatalogue).map(([name, { actor, retry, meaning }]) => [
    code(name),
    meaning,
    errorActors[actor],
    retry ? 'yes' : 'no',
  ]);
  const failures = Object.entries(turnFailures).map(([name, { actor, nextStep }]) => [
    code(name),
    failureActors[actor],
    nextStep,
  ]);
  return `${generatedNotice}

# Errors

Two things can go wrong, and they look different.

- **The call fails.** The answer has \`isError: true\`. Its text begins with \`Error [CODE]:\`, says what happened,
  and ends with the next step.
- **The turn fails.** The call works, and the session's \`result\` has \`isError: true\`. \`errorSubtype\` says why, and
  \`nextStep\` says what to do. The session is in status \`error\` and accepts a reply.

## Errors of a call

\`\`\`text
${example}
\`\`\`

"Try again" says whether the very same call can succeed later.

${table(['Code', 'Meaning', 'Who must act', 'Try again'], errors)}

The text of an unexpected fault never reaches the caller. The caller gets \`INTERNAL\` with an incident id, and the log
on stderr has the details under the same id.

## Failures of a turn

${table(['`errorSubtype`', 'Who must act', '`nextStep`'], failures)}

An interrupted turn is not a failure: its \`outcome\` is \`interrupted\`, and the session is \`idle\`.

The tables come from \`src/core/errors.ts\` and \`src/core/session/turn-failures.ts\`.
`;
}
