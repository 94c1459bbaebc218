import { mask } from '../../core/observability/mask.js';

/*
 * Recognises unknown secrets by their format, as a best effort. Every pattern follows two rules. It takes linear time
 * on any text. It hides no space, quote, `$` or bracket, so that JSON stays valid.
 */

/** Every match contains one of these. Most texts contain none and skip the patterns. */
const isWorthALook = /[-_:=]|A[KSBCI][ICz]|ya29|SG\.|eyJ|b(?:earer|asic)\s/i;

const shapes = new RegExp(
  [
    // Anthropic, OpenAI and others with the same prefix.
    String.raw`sk-[\w-]{16,}`,
    String.raw`[rs]k_(?:live|test)_[A-Za-z\d]{16,}`,
    String.raw`gh[pousr]_[A-Za-z\d]{20,}`,
    String.raw`github_pat_\w{20,}`,
    String.raw`gl(?:pat|ptt|dt|rt|soat|ft|cbt|imt|agent)-[\w.-]{16,}`,
    String.raw`xox[abceoprs]-[A-Za-z\d-]{10,}`,
    String.raw`xapp-[A-Za-z\d-]{10,}`,
    String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z\d]{16}(?![A-Z\d])`,
    String.raw`AIza[\w-]{35,}`,
    String.raw`GOCSPX-[\w-]{20,}`,
    String.raw`ya29\.[\w-]{20,}`,
    String.raw`npm_[A-Za-z\d]{36,}`,
    String.raw`pypi-[\w-]{50,}`,
    String.raw`hf_[A-Za-z\d]{30,}`,
    // Tokens of this service.
    String.raw`ccm_[\w-]{30,}`,
    String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
    // JSON web tokens.
    String.raw`eyJ[\w-]{8,}(?:\.[\w-]{8,}(?:\.[\w-]*)?)?`,
  ].join('|'),
  'g',
);

/** The lines between the markers of a private key. Line numbers may precede them. */
const privateKey =
  /(-----BEGIN (?:[A-Z\d]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----)((?:[A-Za-z\d+/=\s:,.→|>]|-(?!-)|\\+[nrt]|\[redacted\])+)/g;
const keyLine = /(?<![A-Za-z\d+/])(?:[A-Za-z\d+/]{16,}={0,2}|[A-Za-z\d+/]+={1,2})/g;

const urlPassword = /(:\/\/[^\s/@:"'`\\$<>(){}]{0,200}:)[^\s/@"'`\\$<>(){}]{1,500}(?=@)/g;

const authorization = /(bearer|basic)(\s{1,3})([\w.~+/-]{12,}={0,2})/gi;

const secretName = String.raw`(?:password|passwd|passphrase|pwd|secret|(?<!resume[_-]?)token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)(?:[_-]?(?:access[_-]?)?(?:key|value|token|secret))?`;
const endsInSecretName = new RegExp(`${secretName}$`, 'i');

const quote = String.raw`(?:\\*["'\`])?`;
/** Does not start with `:` or `=`, to exclude `token == other` and `Token::from`. */
const value = String.raw`[^\s"'\`\\$,;&|<>(){}[\]:=][^\s"'\`\\$,;&|<>(){}[\]=]{3,}={0,2}`;
const assignment = new RegExp(
  `(${secretName}${quote}\\s{0,4}(?:=>|:=|[:=])\\s{0,4}${quote}|--[\\w-]{0,40}?${secretName}\\s{1,3}${quote})(${value})(?!\\()`,
  'gi',
);
const firstValue = new RegExp(`^${value}(?!\\()`);

export function redactPatterns(text: string): string {
  if (!isWorthALook.test(text)) return text;
  const redacted = (text.includes('://') ? text.replace(urlPassword, `$1${mask}`) : text)
    .replace(shapes, maskShape)
    .replace(authorization, (whole, scheme: string, space: string, credential: string) =>
      /[\d.~+/=_-]|[a-z][A-Z]/.test(credential) ? `${scheme}${space}${mask}` : whole,
    )
    .replace(assignment, (whole, name: string, assigned: string) =>
      looksSecret(assigned, /["'`]$|[^\s-][:=]$/.test(name)) ? name + mask : whole,
    );
  if (!redacted.includes('-----BEGIN ')) return redacted;
  return redacted.replace(
    privateKey,
    (_whole, begin: string, body: string) => begin + body.replace(keyLine, maskLine),
  );
}

/** Masks the value of a key wherever `redactPatterns` would mask it in their JSON. */
export function redactNamed(name: string, text: string): string {
  if (!endsInSecretName.test(name)) return text;
  return text.replace(firstValue, (found) => (looksSecret(found, true) ? mask : found));
}

/** Checked here, not in the pattern, which would rescan the same text after each rejected match. */
function maskShape(found: string, index: number, text: string): string {
  // Skips matches inside a word, except right after an escaped line break in JSON.
  const isInWord = /[\w-]$/.test(text.slice(Math.max(0, index - 1), index));
  const isAfterEscape = /\\[nrt]$/.test(text.slice(Math.max(0, index - 2), index));
  if (isInWord && !isAfterEscape) return found;
  if (found.startsWith('sk-') && !/\d/.test(found)) return found;
  return found.startsWith('eyJ') && !found.includes('.') ? found : mask;
}

/** The `n` or `r` of an escaped line break is not part of the secret. */
function maskLine(line: string, index: number, body: string): string {
  const isAfterEscape = index > 0 && body[index - 1] === '\\';
  return isAfterEscape ? `${line.slice(0, 1)}${mask}` : mask;
}

const placeholders =
  /^(?:null|none|true|false|undefined|string|number|boolean|unknown|required|optional|redacted|x+|\*+)$/i;

/**
 * `isTight` means quoted or without spaces, as in a command or a settings file. Prose and code need stronger evidence.
 */
function looksSecret(text: string, isTight: boolean): boolean {
  if (placeholders.test(text) || /^(?:[/.~%@#-]|[a-z]+:\/\/)/i.test(text)) return false;
  // A property path: `process.env.TOKEN`, `config.password`.
  if (/^[A-Za-z_]+(?:\.[A-Za-z_]+)+$/.test(text) || endsInSecretName.test(text)) return false;
  return isTight ? text.length >= 6 : text.length >= 8 && /\d/.test(text) && /[A-Za-z]/.test(text);
}
