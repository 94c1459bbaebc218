import { secretMark } from '../../core/observability/mask.js';
import { escapeCharacters } from '../../core/text/escape.js';
import { KnownSecrets } from './known-secrets.js';

/**
 * Our own marks, as they or something like them could appear in a text of the agent: their bracket, or the escape of it
 * that such a text would get.
 */
const imitatedMark =
  /(?:\[|\\(?:u\{5c\})*u\{5b\})(?=\s*(?:secret\s+of\b|redacted\b|(?:more\s+than\s+)?[\d,.]+\s+(?:characters?\s+hidden|spaces?|(?:empty\s+)?lines?)\b))/gi;

/**
 * Masks the secrets of the operator in a text by which someone approves. A mark in the text itself is escaped, so that
 * the agent cannot pretend that a secret is hidden there. Different texts without secrets never become the same.
 */
export function approverMask(secrets: Iterable<string>): (text: string) => string {
  const known = new KnownSecrets(secrets);
  return (text) => known.replaceEach(text.replace(imitatedMark, escapeFirst), secretMark);
}

function escapeFirst(text: string): string {
  return escapeCharacters(text.slice(0, 1)) + text.slice(1);
}
