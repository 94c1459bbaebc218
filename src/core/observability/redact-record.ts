import type { Redactor } from './redactor.js';

const any = /^/;
/** A value of a fixed list, such as `allow_once`. */
const word = /^[a-zA-Z_]{1,40}$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Fields of log lines and audit entries that the server or the operator makes: who, which session, and what was decided.
 * A caller who passes such a value as a secret must not erase it from the records. Some of these fields also repeat an
 * argument of a caller, so a value of another form is redacted.
 */
const ownFields: Readonly<Record<string, RegExp>> = {
  what: word,
  principal: any,
  login: any,
  clientId: any,
  device: any,
  peer: any,
  era: word,
  tool: /^[\w-]{1,64}$/,
  toolName: /^[\w-]{1,128}$/,
  code: word,
  reason: word,
  action: word,
  kind: word,
  decision: word,
  answeredBy: word,
  outcome: word,
  errorSubtype: word,
  startedBy: word,
  by: word,
  permissionMode: word,
  sessionId: uuid,
  forkOf: uuid,
  requestId: /^(?:[\w-]{8}|toolu_\w{1,60})$/,
  inputHash: /^[0-9a-f]{64}$/,
};

/** Redacts the values of a log line or audit entry, except for those that identify what it is about. */
export function redactRecord<T extends object>(record: T, redactor: Redactor): T {
  const entries = Object.entries(record).map(([key, value]: [string, unknown]): [string, unknown] => {
    if (typeof value === 'string' && Object.hasOwn(ownFields, key) && ownFields[key]?.test(value) === true)
      return [key, value];
    // With its key, because the name of a field can show that its value is secret.
    return [key, Object.values(redactor.redactValue({ [key]: value }))[0]];
  });
  return Object.fromEntries(entries) as T;
}
