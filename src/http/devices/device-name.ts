import { oneLine } from '../../core/text/escape.js';

const maxChars = 60;

/** A name that people can type after `device revoke`, and that the audit log can tell from others. */
export function uniqueName(wanted: string, taken: readonly string[]): string {
  const name = oneLine(wanted.trim(), maxChars) || 'Browser';
  if (!taken.includes(name)) return name;
  for (let count = 2; ; count += 1) {
    const numbered = `${name} ${count}`;
    if (!taken.includes(numbered)) return numbered;
  }
}
