/** Replaces a secret in every copy that leaves the server. */
export const mask = '[redacted]';
