import { escapeHidden } from './escape.js';

const plain = /^[\w./-]+$/;

/** Without characters that a shell of Windows acts on between double quotes. PowerShell accepts curly quotes as well. */
const plainOnWindows = /^[a-z]:(?:\\[^\\/"“”„$`%!^]+)+$/i;

/** Between double quotes in all shells, because fish acts on a backslash between single quotes, too. */
const quoted: Readonly<Record<string, string>> = { "'": `'"'"'`, '\\': `'"\\\\"'` };

/** A path as one word of a command. Undefined for a path that the terminal or a shell would act on. */
export function shellWord(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (escapeHidden(path) !== path || /[\n\t]/.test(path)) return undefined;
  if (platform === 'win32') return plainOnWindows.test(path) ? `"${path}"` : undefined;
  return plain.test(path) ? path : `'${path.replaceAll(/['\\]/g, (char) => quoted[char] ?? char)}'`;
}
