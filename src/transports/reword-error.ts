import { INVALID_PARAMS, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { asList, asText, isObject, parseJson } from '../core/json.js';

/** A list of issues as JSON, perhaps after a few words. The SDK answers with it when params do not match its schema. */
const issueList = /^(?<words>[^[\n]*)(?<issues>\[\n.*\])$/s;

const maxIssues = 5;

/** How the SDK's schemas word one issue. */
const issueWords = /Invalid input: expected (\w+), received (\w+)/g;

/** Replaces the SDK's schema issues by sentences. The SDK also calls some of them internal errors. */
export function reworded(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const { error } = message;
  const { words = '', issues } = issueList.exec(error.message)?.groups ?? {};
  const faults = asList(parseJson(issues ?? ''))
    .slice(0, maxIssues)
    .map(faultOf);
  if (faults.length > 0) {
    const prefix = words === '' ? 'Invalid params: ' : words;
    return { ...message, error: { code: INVALID_PARAMS, message: `${prefix}${faults.join('; ')}.` } };
  }
  const plain = error.message.replaceAll(issueWords, 'expected $1, not $2');
  return plain === error.message ? message : { ...message, error: { ...error, message: plain } };
}

function faultOf(issue: unknown): string {
  if (!isObject(issue)) return 'params are invalid';
  const place = asList(issue['path']).join('.') || 'params';
  const expected = asText(issue['expected']);
  return expected === undefined ? `${place} is invalid` : `${place} must be of type ${expected}`;
}
