import { AppError } from '../../src/core/errors.js';
import { errorCatalogue, type Actor } from '../../src/core/reasons/codes.js';
import { reasons } from '../../src/core/reasons/index.js';
import { turnFailures, type ErrorSubtype, type TurnFailure } from '../../src/core/session/turn-failures.js';
import { errorText } from '../../src/mcp/errors.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { turnStep } from '../../src/toolsets/shared/wording/turn-steps.js';
import { code, table } from '../../src/toolsets/reference/markdown.js';
import { generatedNotice } from './markdown.js';

const errorActors: Readonly<Record<Actor, string>> = {
  caller: 'the caller',
  person: 'a person at the machine',
  operator: 'the operator',
  server: 'the operator',
};

const failureActors: Readonly<Record<TurnFailure['actor'], string>> = {
  person: 'a person',
  caller: 'the caller',
  wait: 'nobody: wait',
};

const unredacted = {
  redact: (text: string) => text,
  redactValue: <T>(value: T) => value,
  redactOnce: <T>(value: T) => value,
  maskForApprover: <T>(value: T) => value,
  learn: () => undefined,
};

const example = errorText(
  new AppError('cursor_past_end', { cursor: 999, end: 13 }),
  asyncVocabulary,
  unredacted,
);

/** docs/errors.md: why a call is refused, and why a turn fails. */
export function errorsPage(): string {
  const errors = Object.entries(errorCatalogue).map(([name, { actor, retry, meaning }]) => [
    code(name),
    meaning,
    errorActors[actor],
    retry ? 'yes' : 'no',
  ]);
  const failures = Object.entries(turnFailures).map(([name, { actor }]) => [
    code(name),
    failureActors[actor],
    turnStep({ errorSubtype: name as ErrorSubtype }, asyncVocabulary) ?? '',
  ]);
  return `${generatedNotice}

# Errors

Failures have two forms:

- **The call fails.** The answer has \`isError: true\`. Its text begins with \`Error [CODE]:\`, says what happened,
  and ends with the next step.
- **The turn fails.** The call works, and the session's \`result\` has \`isError: true\`. \`errorSubtype\` says why, and
  \`nextStep\` says what to do. The session is in status \`error\` and accepts a reply.

## Errors of a call

\`\`\`text
${example}
\`\`\`

"Try again" shows whether the same call can succeed later.

${table(['Code', 'Meaning', 'Who must act', 'Try again'], errors)}

A code groups reasons. The reason decides the text; the next step names only tools that the called toolset has.

${reasonsByCode()}

The text of an unexpected fault never reaches the caller. The caller gets \`INTERNAL\` with an incident id, and the log
on stderr has the details under the same id.

## Failures of a turn

${table(['`errorSubtype`', 'Who must act', '`nextStep`'], failures)}

The next steps are those of the \`async\` toolset. The other toolsets give the same steps with their own tools.
If the operator's limit ended the turn, the next step names the setting to raise.

An interrupted turn is not a failure: its \`outcome\` is \`interrupted\`, and the session is \`idle\`.

The tables come from \`src/core/reasons/\`, \`src/core/session/turn-failures.ts\` and
\`src/toolsets/shared/wording/\`.
`;
}

function reasonsByCode(): string {
  const rows = Object.entries(reasons);
  const lines = Object.keys(errorCatalogue).map((name) => {
    const own = rows.flatMap(([reason, row]) => (row.code === name ? [code(reason)] : []));
    return `- ${code(name)}: ${own.join(', ')}.`;
  });
  return lines.join('\n');
}
