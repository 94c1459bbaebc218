import { secretMark } from '../../core/observability/mask.js';
import { KnownSecrets } from './known-secrets.js';

/** Our own marks, as they or something like them could appear in a text of the agent. */
const imitatedMark = /\[(?=\s*(?:secret\s+of\b|redacted\b|[\d,.]+\s+(?:characters?\s+hidden|spaces?)\b))/gi;

/**
 * Masks the secrets of the operator in a text by which someone approves. A mark in the text itself is escaped, so that
 * the agent cannot pretend that a secret is hidden there.
 */
export function approverMask(secrets: Iterable<string>): (text: string) => string {
  const known = new KnownSecrets(secrets);
  return (text) => known.replaceEach(text.replace(imitatedMark, String.raw`\u{5b}`), secretMark);
}
