import { isObject, ownValue, parseObject, type JsonObject } from '../../core/json.js';
import { CommandFailure } from '../terminal/failure.js';

const answer = 'hasTrustDialogAccepted';

/** The keys of the folders that a person has trusted in Claude Code. */
export function trustedKeys(text: string | undefined): readonly string[] {
  const projects = ownValue(parsed(text), 'projects');
  if (!isObject(projects)) return [];
  return Object.entries(projects)
    .filter(([, project]) => ownValue(project, answer) === true)
    .map(([key]) => key);
}

/** The state file with another answer for one folder. Everything else stays, including the layout. */
export function withTrust(text: string | undefined, key: string, isTrusted: boolean): string {
  const state = parsed(text);
  const projects = objectAt(state, 'projects');
  const project = objectAt(projects, key);
  const changed = { ...state, projects: { ...projects, [key]: { ...project, [answer]: isTrusted } } };
  return likeBefore(JSON.stringify(changed, null, indentOf(text)), text);
}

function parsed(text = '{}'): JsonObject {
  const state = parseObject(text.replace(/^\ufeff/, ''));
  if (state !== undefined) return state;
  throw new CommandFailure(
    'The state file of Claude Code (.claude.json) is not a JSON object. Start claude once to repair it, then try again.',
  );
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = ownValue(value, key);
  if (found === undefined) return {};
  if (isObject(found)) return found;
  throw new CommandFailure(
    `The state file of Claude Code (.claude.json) has an unexpected value at ${JSON.stringify(key)}, so it was not changed.`,
  );
}

/** Two spaces, as Claude Code writes, unless the file has something else. */
function indentOf(text: string | undefined): string {
  if (text === undefined) return '  ';
  return /^\s*\{\r?\n([ \t]+)/.exec(text.replace(/^\ufeff/, ''))?.[1] ?? (text.includes('\n') ? '  ' : '');
}

function likeBefore(json: string, text = '\n'): string {
  const end = text.slice(text.trimEnd().length);
  const lines = text.includes('\r\n') ? json.replaceAll('\n', '\r\n') : json;
  return `${text.startsWith('\ufeff') ? '\ufeff' : ''}${lines}${end}`;
}
