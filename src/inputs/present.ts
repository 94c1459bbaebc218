import { isAgentTool } from '../core/claude/claude-tools.js';
import { escapeForApprover } from '../core/text/approver-text.js';
import { cutChanged, cutMiddle, visibleJson } from '../core/text/escape.js';
import type { InputAsk, InputRequest } from '../core/session/inputs.js';
import { mapTexts } from '../core/text/map-texts.js';
import { tellingText } from '../core/text/tool-summary.js';
import { grantInWords } from './grant-words.js';
import { questionsIn } from './questions.js';
import { oncePerKey } from './once-per-key.js';
import { linksInWords, quoteCode, quoteWords, serverInWords, toolLabel } from './quote.js';

/** A request as an approver sees it. Our own text; text of the agent is quoted and attributed. */
export interface PresentedInput {
  readonly requestId: string;
  readonly type: InputRequest['kind'];
  readonly toolName: string;
  readonly summary: string;
  /** Who brought the MCP server of the tool, and where it is. */
  readonly server: string | undefined;
  /** Where the call starts, if a command has moved the session away from its own folder. */
  readonly folder: string | undefined;
  /** Where links take the call. */
  readonly leadsTo: string | undefined;
  readonly input?: unknown;
  readonly plan?: string;
  readonly questions?: unknown;
  /** Set only if `input` was truncated: page through the full input with requestId and resultOffset. */
  readonly inputChars: number | undefined;
  readonly reason: string | undefined;
  readonly blockedPath: string | undefined;
  readonly agent: string | undefined;
  /** What allow_for_session would allow besides this same call. */
  readonly grant: string | undefined;
  /** The decisions that the reader may take. */
  readonly accepts: readonly string[];
  /** Who can approve, if the reader cannot. */
  readonly whoApproves: string | undefined;
  /** The keys that must accompany `allow`. */
  readonly needs: readonly string[] | undefined;
  /** Where a person approves, if the reader may not. */
  readonly approveAt: string | undefined;
  readonly expiresAt: string | undefined;
}

/**
 * What a caller may do with a request. With `once`, it may approve this call, but nothing for the rest of the session.
 * With `deny`, its client shows a form to a person, who may approve; with `deny_without_form`, it cannot show one. With
 * `none`, its token may not answer at all.
 */
export type AnswerRights = 'all' | 'once' | 'deny' | 'deny_without_form' | 'none';

const whoApproves: Readonly<Record<AnswerRights, string | undefined>> = {
  all: undefined,
  once: undefined,
  deny: 'Only a person may approve this, in the form that their client shows while a call waits. You may deny it',
  deny_without_form:
    'Only a person may approve this, in a client that shows forms (elicitation). This client does not. You may deny it',
  none: 'This token may not answer requests. A client whose token has the scope approve must answer it',
};

export function presentInput(request: InputRequest, room: number, rights: AnswerRights): PresentedInput {
  const { requestId, expiresAt, shown } = request;
  const { kind, toolName, folder, leadsTo, reason, blockedPath, agent } = shown;
  const whole = inputText(request);
  return {
    requestId,
    type: kind,
    toolName: line(toolName, 80),
    summary: summaryOf(shown),
    server: shown.server && serverInWords(shown.server),
    folder: line(folder, 200),
    leadsTo: leadsTo && linksInWords(leadsTo),
    ...content(shown, whole, room),
    inputChars: whole.length > room ? whole.length : undefined,
    reason: line(reason, 200),
    blockedPath: line(blockedPath, 200),
    agent: line(agent, 80),
    grant:
      rights !== 'once' &&
      kind === 'permission' &&
      shown.suggestedRules !== undefined &&
      shown.isGrantable !== false
        ? `allow_for_session: ${grantInWords(shown)}`
        : undefined,
    accepts: acceptsOf(shown, rights),
    whoApproves: rights !== 'none' && kind === 'user_question' ? undefined : whoApproves[rights],
    needs: kind === 'user_question' ? ['answers'] : undefined,
    approveAt: mayAllow(rights) || kind === 'user_question' ? undefined : request.answerAt,
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  };
}

const accepted: Readonly<Record<InputRequest['kind'], readonly string[]>> = {
  permission: ['allow', 'allow_for_session', 'deny'],
  plan_review: ['allow', 'deny'],
  user_question: ['allow', 'deny'],
};

export function acceptsOf({ kind, isGrantable }: InputAsk, rights: AnswerRights): readonly string[] {
  if (rights === 'none') return [];
  if (!mayAllow(rights) && kind !== 'user_question') return ['deny'];
  return isGrantable === false || rights === 'once'
    ? accepted[kind].filter((answer) => answer !== 'allow_for_session')
    : accepted[kind];
}

function mayAllow(rights: AnswerRights): boolean {
  return rights === 'all' || rights === 'once';
}

/** Shows plans and questions in their own fields, and everything else as the input that would run. */
function content({ kind, input }: InputAsk, whole: string, room: number): Partial<PresentedInput> {
  const { plan } = input;
  if (kind === 'plan_review') {
    const more = besidePlan(input);
    return {
      plan: typeof plan === 'string' ? line(plan, room) : noPlan,
      ...(Object.keys(more).length === 0 ? {} : { input: shownInput(more, room) }),
    };
  }
  return kind === 'user_question' && whole.length <= room
    ? { questions: escapeAll(questionsOf(input)) }
    : { input: shownInput(input, room) };
}

/** What Claude requests in addition to the plan. */
const besidePlan = oncePerKey(({ plan: _plan, planFilePath: _path, ...more }: InputAsk['input']) => more);

const questionsOf = oncePerKey(questionsIn);

function shownInput(input: object, room: number): unknown {
  const text = jsonOf(input);
  return text.length > room ? cutMiddle(text, room) : escapeAll(input);
}

/** Identifies a request where its input does not fit: enough to request the full input. */
export function nameInput({
  requestId,
  kind,
  shown: { toolName },
}: InputRequest): Pick<PresentedInput, 'requestId' | 'type' | 'toolName'> {
  return { requestId, type: kind, toolName: line(toolName, 40) };
}

export const maxQuoteChars = 120;
export const noPlan = 'Claude did not write a plan.';

const maxSummaryChars = 160;
const openings = {
  plan_review: 'Claude asks for approval of its plan',
  user_question: 'Claude asks:',
} as const;

/** What a subagent will do is in its prompt; the description is only a remark. */
function tellingCode(toolName: string, input: InputAsk['input']): string {
  const { prompt } = input;
  return isAgentTool(toolName) && typeof prompt === 'string' ? prompt : tellingText(toolName, input);
}

/** The request in one line of our own, in which text of the agent is quoted. */
export const summaryOf = oncePerKey(({ kind, toolName, input, claudeSays }: InputAsk): string => {
  if (kind === 'plan_review' && typeof input['plan'] !== 'string')
    return `Claude asks to leave plan mode. ${noPlan}`;
  const about =
    kind === 'permission'
      ? `${toolLabel(toolName)}: ${quoteCode(tellingCode(toolName, input), maxSummaryChars)}`
      : `${openings[kind]} ${quoteWords(tellingText(toolName, input), maxSummaryChars)}`;
  return claudeSays === undefined ? about : `${about}. ${quoteClaude(claudeSays)}`;
});

export function quoteClaude(claudeSays: string): string {
  return `Claude says: ${quoteWords(claudeSays, maxQuoteChars)}`;
}

function line<T extends string | undefined>(text: T, maxChars: number): T | string {
  return text === undefined ? text : cutChanged(text, maxChars, escapeForApprover);
}

/** The full input as JSON, for paging. */
export function inputText({ shown }: InputRequest): string {
  return jsonOf(shown.input);
}

const jsonOf = oncePerKey(visibleJson);

const escapeAll = oncePerKey((value: object) => mapTexts(value, escapeForApprover));
