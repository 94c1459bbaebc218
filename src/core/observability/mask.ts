/** Replaces a secret in results, events, errors and logs. */
export const mask = '[redacted]';

/** Replaces a secret of the operator in a text by which someone approves. It shows how much is hidden. */
export function secretMark({ length }: string): string {
  return `[secret of ${length} characters]`;
}

const anySecretMark = /\[secret of \d+ characters\]/g;

/** How many secrets of the operator are masked in a value that `Redactor.maskForApprover` returned. */
export function countSecretMarks(value: unknown): number {
  return JSON.stringify(value).match(anySecretMark)?.length ?? 0;
}
