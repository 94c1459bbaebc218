/** Names of variables that contain secrets. */
const tellingName =
  /SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|PRIVATE|API_?KEY|WEBHOOK|HEADERS|_PWD(?:_|$)|(?:^|_)(?:KEYS?|AUTH|DSN|JWT|PASS|PAT)(?:_|$)/i;

/** Shorter values would match inside ordinary words. */
export const minSecretChars = 8;

/** Values that are no secrets. Masking them everywhere would only make texts unreadable. */
const ordinaryValues: readonly RegExp[] = [
  /^[A-Za-z]{1,15}$/,
  /^[\d\s.,:_+-]{1,19}$/,
  // Time zones, locales, media types, hosts.
  /^[A-Za-z]+(?:[/._][A-Za-z]+)+$/,
  /^[a-z]{2,3}_[A-Z]{2}[\w.-]{0,12}$/,
  /^[a-z]+\/[a-z.+-]+$/,
  /^[\w.-]+:\d{1,5}$/,
  // Paths and lists of paths. Base64 almost always contains `+` or `=`.
  /^(?:~|\.{1,2})?\/[^+=]*$/,
  /^[A-Za-z]:\\/,
];

/** The secrets in the server's environment. */
export function secretsInEnvironment(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return tellingName.test(name) ? secretsIn(value) : passwordsInUrl(value);
  });
}

/** The secrets in a secret value: the value itself, and the parts that may appear on their own. */
export function secretsIn(value: string): string[] {
  const whole = value.trim();
  if (isOrdinary(whole)) return [];
  const parts = [whole, ...passwordsInUrl(whole), ...credentialsIn(whole), ...linesOf(whole)];
  return parts.filter((part) => part.length >= minSecretChars && !isOrdinary(part));
}

function isOrdinary(value: string): boolean {
  return ordinaryValues.some((pattern) => pattern.test(value)) || isPlainUrl(value);
}

/** A URL without a user, a query, or a long random part such as webhooks have. */
function isPlainUrl(value: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/[^\s@?]*$/i.test(value) && !/[A-Za-z\d]{20}/.test(value);
}

/** The password of a URL, or the user if it has no password. Returns it both encoded and decoded. */
function passwordsInUrl(value: string): string[] {
  const [, user = '', password] = /^[a-z][a-z\d+.-]*:\/\/([^\s/@:]*)(?::([^\s/@]*))?@/i.exec(value) ?? [];
  const secret = password ?? user;
  return [secret, decoded(secret)].filter((text) => text.length >= minSecretChars);
}

/** `Bearer x`, `Basic x` with its password, `Name: x`, and the values of cookies. */
function credentialsIn(value: string): string[] {
  const [, scheme = '', credential] = /^(?:[\w-]+:\s*)?([A-Za-z]+)\s+(\S+)$/.exec(value) ?? [];
  const [, header] = /^[\w-]+:\s*(\S+)$/.exec(value) ?? [];
  const cookies = value.includes(';')
    ? value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1))
    : [];
  const inBasic =
    scheme.toLowerCase() === 'basic' && credential !== undefined ? [passwordIn(credential)] : [];
  return [credential, header, ...cookies, ...inBasic].flatMap((text) => (text ? [text.trim()] : []));
}

function passwordIn(basic: string): string {
  const text = Buffer.from(basic, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

/** A multi-line key may be shown line by line, with line numbers in between. */
function linesOf(value: string): string[] {
  const lines = value.split(/\r?\n|\\n/);
  if (lines.length === 1) return [];
  return lines
    .map((line) => line.trim())
    .flatMap((line) =>
      line.startsWith('-----') ? [] : [...(line.length >= 16 ? [line] : []), ...credentialsIn(line)],
    );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
