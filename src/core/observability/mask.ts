/** What stands where a secret was, in every copy that leaves the server. */
export const mask = '[redacted]';
