/** Nothing may run, be loaded or be contacted but what this page itself contains. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  // A link of another site must not scroll to the buttons of a request.
  'document-policy': 'force-load-at-top',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // For browsers without frame-ancestors.
  'x-frame-options': 'DENY',
};

/** Every answer of the page has them, errors too: a browser can show any of them as a document. */
export function hardened(response: Response): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
