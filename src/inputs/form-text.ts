import { basename } from 'node:path';
import { escapeForApprover } from '../core/text/approver-text.js';
import { cutMiddle, inOneLine } from '../core/text/escape.js';
import type { InputAsk, InputRequest } from '../core/session/inputs.js';
import { maxQuoteChars, noPlan, quoteClaude } from './present.js';
import { questionsIn, type Question } from './questions.js';
import { linksInWords, quoteCode, quoteWords, serverInWords, toolLabel } from './quote.js';

/** As much of an input as a person can be expected to read in a form. */
const maxInputChars = 3_000;

/** What a person needs to recognise where a request comes from. */
export interface FormOrigin {
  /** The session: its title, id and folder. */
  readonly session: string;
  /** The path of its folder, whose name is part of the first line. */
  readonly folder: string | undefined;
}

/**
 * What a form says about a request: our own lines, and the input that would run after `>`. Text of the agent stands in
 * quotation marks or after `>`, and nowhere else.
 */
export function formText({ requestId, shown }: InputRequest, { session, folder }: FormOrigin): string {
  const { kind, toolName, reason, blockedPath, claudeSays, agent, server, leadsTo, folder: present } = shown;
  return [
    firstLineOf(shown, whereIn(present ?? folder)),
    `Session: ${session}`,
    ...(present === undefined ? [] : [`Present folder: ${quoteCode(present, 200)}`]),
    ...(agent === undefined ? [] : [`Subagent: ${quoteWords(agent, 80)}`]),
    ...(kind === 'permission' ? [`Tool: ${toolLabel(toolName)}`] : []),
    ...(server === undefined ? [] : [`Server: ${serverInWords(server)}`]),
    ...(leadsTo === undefined ? [] : [`Leads to: ${linksInWords(leadsTo)}`]),
    ...(kind === 'plan_review' && typeof shown.input['plan'] !== 'string' ? [noPlan] : []),
    ...marked(contentOf(shown), requestId),
    ...(claudeSays === undefined ? [] : [quoteClaude(claudeSays)]),
    ...(reason === undefined ? [] : [`Reason: ${quoteWords(reason, 200)}`]),
    ...(blockedPath === undefined ? [] : [`Path: ${quoteCode(blockedPath, 200)}`]),
  ].join('\n');
}

/** A person decides on the page, so the form only says what it is about. */
export function linkText({ shown }: InputRequest, { session, folder }: FormOrigin): string {
  return [
    firstLineOf(shown, whereIn(shown.folder ?? folder)),
    `Session: ${session}`,
    'Read all of it and decide on the page of this server.',
  ].join('\n');
}

function firstLineOf(shown: InputAsk, where: string): string {
  switch (shown.kind) {
    case 'permission':
      return `Allow Claude Code to ${actionOf(shown, where)}?`;
    case 'plan_review':
      return `Approve Claude Code's plan${where}?`;
    case 'user_question':
      return `Claude Code has a question${where}:`;
  }
}

/** Only a plain name may stand in our own line: callers and agents choose folder names. */
function whereIn(folder = ''): string {
  const name = basename(folder);
  return /^[\w.-]{1,40}$/.test(name) ? ` in ${name}` : '';
}

/** The input key that names what a tool acts on, and how to ask about it with and without its value. */
const actions: Readonly<Record<string, readonly [key: string, verb: string, otherwise: string]>> = {
  Bash: ['command', 'run', 'run this command'],
  Read: ['file_path', 'read', 'read this file'],
  Write: ['file_path', 'write', 'write this file'],
  Edit: ['file_path', 'edit', 'edit this file'],
  NotebookEdit: ['notebook_path', 'edit', 'edit this notebook'],
  WebFetch: ['url', 'fetch', 'fetch this page'],
  WebSearch: ['query', 'search the web for', 'search the web'],
};

const maxTargetChars = 80;
const maxTitleChars = 100;

function actionOf({ toolName, input }: InputAsk, where: string): string {
  if (toolName === 'Rewind') return `restore files${where}`;
  const action = Object.hasOwn(actions, toolName) ? actions[toolName] : undefined;
  if (action === undefined) return `use ${/^\w{1,80}$/.test(toolName) ? toolName : 'a tool'}${where}`;
  const [key, verb, otherwise] = action;
  const target = input[key];
  // Paths and addresses are complete by themselves; only a command depends on where it runs.
  return `${isPlain(target) ? `${verb} \`${target}\`` : otherwise}${toolName === 'Bash' ? where : ''}`;
}

/** A request in a few words, for a list. A long command keeps its beginning and its end. */
export function titleOf({ kind, toolName, input }: InputAsk): string {
  if (kind === 'plan_review') return 'Review a plan';
  if (kind === 'user_question') {
    const [first, ...others] = questionsIn(input);
    return others.length === 0 && first !== undefined
      ? `Answer ${quoteWords(first.question, maxTitleChars)}`
      : `Answer ${others.length + 1} questions`;
  }
  const action = Object.hasOwn(actions, toolName) ? actions[toolName] : undefined;
  if (action === undefined) return `Use ${toolLabel(toolName)}`;
  const [key, verb, otherwise] = action;
  const target = input[key];
  const words = typeof target === 'string' ? `${verb} ${quoteCode(target, maxTitleChars)}` : otherwise;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Whether a text of the agent can stand in our first line: short, and the same when it is quoted. */
function isPlain(target: unknown): target is string {
  return (
    typeof target === 'string' &&
    /^\S(?:[^\t]*\S)?$/.test(target) &&
    quoteCode(target, maxTargetChars) === `\`${target}\`` &&
    withVisibleGaps(target) === target
  );
}

interface Content {
  readonly lines: readonly string[];
  /** How many characters are left out already. */
  readonly leftOut: number;
}

type Shorten = (text: string) => string;

/** Far more than is shown. To make megabytes readable first would stop the server for seconds. */
const maxReadChars = 100_000;

/** The input that would run, key by key: readable, and complete up to the limit. */
function contentOf(shown: InputAsk): Content {
  let leftOut = 0;
  const shorten: Shorten = (text) => {
    const short = cutMiddle(text, maxReadChars);
    leftOut += text.length - short.length;
    return short;
  };
  const lines = shorten(linesOf(shown, shorten).join('\n')).split('\n');
  return { lines, leftOut };
}

function linesOf({ kind, toolName, input, claudeSays = '' }: InputAsk, shorten: Shorten): string[] {
  if (kind === 'user_question')
    return questionsIn(input).flatMap((question, index) => questionLines(question, index, shorten));
  const { planFilePath: _path, ...plan } = input;
  return Object.entries(kind === 'plan_review' ? plan : input)
    .filter(([key, value]) => !isQuotedBelow(toolName, key, value, claudeSays))
    .flatMap(([key, value]) => entryLines(key, value, shorten));
}

/** Tools whose description is only a remark, which appears after "Claude says" if it is short enough. */
const remarkingTools: ReadonlySet<string> = new Set(['Bash', 'Agent', 'Task']);

function isQuotedBelow(toolName: string, key: string, value: unknown, claudeSays: string): boolean {
  return (
    key === 'description' &&
    value === claudeSays &&
    remarkingTools.has(toolName) &&
    // Escaping makes no text shorter.
    claudeSays.length <= maxQuoteChars &&
    escapeForApprover(claudeSays).length <= maxQuoteChars
  );
}

/** A value of several lines follows its key after `|`, so that no line of it looks like another key. */
function entryLines(key: string, value: unknown, shorten: Shorten): string[] {
  const name = /^\w[\w.-]{0,59}$/.test(key) ? key : shorten(JSON.stringify(key));
  const text = shorten(typeof value === 'string' ? value : JSON.stringify(value));
  return text.includes('\n')
    ? [`${name}:`, ...text.split('\n').map((line) => `| ${line}`)]
    : [`${name}: ${text}`];
}

function questionLines(
  { question, options, descriptions = [] }: Question,
  index: number,
  shorten: Shorten,
): string[] {
  const about = (at: number): string => (descriptions[at] ? `: ${descriptions[at]}` : '');
  return [`${index + 1}. ${question}`, ...options.map((option, at) => `  - ${option}${about(at)}`)].map(
    (text) => inOneLine(shorten(text)),
  );
}

/** As many lines as a person can be expected to scroll. */
const maxInputLines = 100;

/** Starts each line with `>`, so that no input can pass for our own text, and states how much is hidden. */
function marked({ lines, leftOut }: Content, requestId: string): string[] {
  const visible = withoutEmptyRuns(lines.map((line) => withVisibleGaps(escapeForApprover(line))));
  const whole = visible.join('\n');
  if (whole === '') return [];
  const shown = cutMiddle(withoutMiddleLines(visible, leftOut).join('\n'), maxInputChars, leftOut)
    .split('\n')
    .map((line) => `> ${line}`);
  if (whole.length <= maxInputChars && visible.length <= maxInputLines && leftOut === 0) return shown;
  return [
    ...shown,
    `Only part of this is shown: it has ${whole.length + leftOut} characters. Read the rest (request ${requestId}) before you allow it.`,
  ];
}

/** Empty lines could push the end of a command out of sight, too. */
function withoutEmptyRuns(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let run: string[] = [];
  const close = (): void => {
    kept.push(...(run.length > maxEmptyLines ? [`| …[${run.length} empty lines]…`] : run));
    run = [];
  };
  for (const line of lines) {
    if (/^\|\s*$/.test(line)) run.push(line);
    else {
      close();
      kept.push(line);
    }
  }
  close();
  return kept;
}

const maxEmptyLines = 3;

function withoutMiddleLines(lines: readonly string[], leftOut: number): readonly string[] {
  const left = lines.length - maxInputLines;
  if (left <= 0) return lines;
  const half = maxInputLines / 2;
  return [
    ...lines.slice(0, half),
    `…[${leftOut === 0 ? '' : 'more than '}${left} lines]…`,
    ...lines.slice(-half),
  ];
}

const maxGap = 20;
const tabWidth = 8;

/** A long gap could push the end of a command out of sight. */
function withVisibleGaps(line: string): string {
  return line.replace(/(?<=\S)[ \t]{3,}(?=\S)/g, (gap) => {
    const width = gap.replaceAll('\t', ' '.repeat(tabWidth)).length;
    return width < maxGap ? gap : ` …[${width} spaces]… `;
  });
}
