import type * as z from 'zod';
import { composeTools } from '../../src/app/compose-tools.js';
import type { Settings } from '../../src/config/settings.js';
import { AppError } from '../../src/core/errors.js';
import { ToolCensus } from '../../src/core/claude/tool-census.js';
import { reasons, type Reason, type ReasonAndParams } from '../../src/core/reasons/index.js';
import { turnFailures, type ErrorSubtype } from '../../src/core/session/turn-failures.js';
import type { InputRequest } from '../../src/core/session/inputs.js';
import { toForm } from '../../src/inputs/form.js';
import { errorText } from '../../src/mcp/errors.js';
import { instructionsFor } from '../../src/mcp/instructions.js';
import { referenceResources } from '../../src/mcp/resources/reference.js';
import { toWireSchema } from '../../src/mcp/wire-schema.js';
import type { ServedTool } from '../../src/toolsets/shared/define-tool.js';
import { trustHint } from '../../src/toolsets/shared/wording/hints.js';
import { interruptedStep, turnStep } from '../../src/toolsets/shared/wording/turn-steps.js';
import { nothing, type Vocabulary } from '../../src/toolsets/shared/wording/vocabulary.js';
import { BypassSwitch } from '../../src/sessions/bypass-switch.js';
import { auditInto } from '../kit/audits.js';
import { plainCaller } from '../kit/callers.js';
import { FakeClock } from '../kit/fake-clock.js';
import { plainPolicy } from '../kit/policy.js';
import { blindRedactor } from '../kit/redactors.js';
import { countingIds } from '../session/session-scene.js';
import { samples } from './error-samples.js';

/** One way in which an operator can serve tools. */
export interface Served {
  readonly toolsets: readonly Toolset[];
  readonly checkResponds: boolean;
}

type Toolset = Settings['toolsets'][number];

/** A toolset that is missing here does not compile. */
const toolsets: Readonly<Record<Toolset, true>> = {
  async: true,
  sessions: true,
  query: true,
  configure: true,
  view: true,
  codex: true,
};

/** A text that callers, or the people behind them, can read, and what it is. */
export type ServedText = readonly [what: string, text: string];

/** Their tools refer to no others, so they are not tried with every set. */
const apart: ReadonlySet<Toolset> = new Set(['view', 'codex']);

function isToTry(served: readonly Toolset[]): boolean {
  const { length } = served;
  return !served.some((name) => apart.has(name)) || length === 1 || length === Object.keys(toolsets).length;
}

export const everySetOfTools: readonly Served[] = subsets(Object.keys(toolsets) as Toolset[])
  .filter((served) => served.length > 0 && isToTry(served))
  .flatMap((served) =>
    (served.includes('async') ? [false, true] : [false]).map((checkResponds) => ({
      toolsets: served,
      checkResponds,
    })),
  );

export function toolsOf({ toolsets, checkResponds }: Served): Promise<readonly ServedTool[]> {
  return composeTools({ toolsets, checkResponds, maxExecutionTime: 300_000 });
}

/** Every error as it is told in these words, by its reason. */
export function errorTexts(vocabulary: Vocabulary): ServedText[] {
  return (Object.keys(reasons) as Reason[]).flatMap((reason) =>
    samples[reason].map((params): ServedText => {
      const error = new AppError(...([reason, params] as ReasonAndParams));
      return [reason, errorText(error, vocabulary, blindRedactor)];
    }),
  );
}

/** What is said after a failed turn in these words, by its subtype. */
export function turnTexts(vocabulary: Vocabulary): ServedText[] {
  const agentUnknown = new AppError('agent_unknown', { agent: 'nobody', agents: ['Plan'] });
  const notReady = new AppError('init_timeout', { limitMs: 100, stderrTail: '' });
  const refusal = new AppError('claude_not_started', { problem: 'spawn ENOENT', stderrTail: '' });
  return [
    ...(Object.keys(turnFailures) as ErrorSubtype[]).map((errorSubtype): ServedText => [
      errorSubtype,
      turnStep({ errorSubtype }, vocabulary) ?? '',
    ]),
    ['not started', turnStep({ errorSubtype: 'crashed', refusal }, vocabulary) ?? ''],
    ['agent unknown', turnStep({ errorSubtype: 'crashed', refusal: agentUnknown }, vocabulary) ?? ''],
    ['not ready', turnStep({ errorSubtype: 'crashed', refusal: notReady }, vocabulary) ?? ''],
    ['interrupted', interruptedStep(vocabulary) ?? ''],
  ];
}

/** Every text that a server with these tools serves, as far as it is ours. */
export async function servedTexts(served: Served): Promise<ServedText[]> {
  const tools = await toolsOf(served);
  const resources = referenceResources(new ToolCensus(), tools);
  return [
    ['instructions', instructionsFor(served)],
    [
      'trust hint',
      trustHint(
        {
          projectSettings: 'skipped',
          skippedFiles: ['CLAUDE.md'],
          withheldServers: [{ name: 'notes', entry: { serverName: 'notes' } }],
        },
        nothing,
      ) ?? '',
    ],
    ...forms(),
    ...bypassTexts(),
    ...(await Promise.all(
      resources.map(async ({ name, title, description, read }): Promise<ServedText> => [
        `resource ${name}`,
        [title, description, textOf(await read(new AbortController().signal))].join('\n'),
      ]),
    )),
    ...tools.flatMap((tool): ServedText[] => [
      [`${tool.name} title`, tool.title],
      [`${tool.name} description`, tool.description],
      ...descriptionsIn(toWireSchema(tool.input)).map((text): ServedText => [`${tool.name} field`, text]),
      ...descriptionsIn(toWireSchema(tool.output())).map((text): ServedText => [`${tool.name} output`, text]),
      ...errorTexts(tool.vocabulary).map(([reason, text]): ServedText => [`${tool.name} ${reason}`, text]),
      ...turnTexts(tool.vocabulary).map(([subtype, text]): ServedText => [
        `${tool.name} turn ${subtype}`,
        text,
      ]),
      ...readingTexts(tool.vocabulary).map((text): ServedText => [`${tool.name} reading`, text]),
    ]),
  ];
}

function readingTexts({ read }: Vocabulary): string[] {
  return [
    read.result?.('s1', 7_000),
    read.input?.('s1', 'r1'),
    read.output?.('s1'),
    read.messages?.('s1'),
    read.message?.('s1', 'm1'),
  ].filter((text) => text !== undefined);
}

function forms(): ServedText[] {
  return (['permission', 'plan_review', 'user_question'] as const).map((kind) => {
    const ask = {
      kind,
      toolName: 'Write',
      toolUseId: 't1',
      input: { content: 'x'.repeat(5_000), questions: [{ question: 'Which?', options: [{ label: 'a' }] }] },
      suggestedRules: ['Write(/srv/**)'],
      reason: 'because',
    };
    const request: InputRequest = {
      ...ask,
      shown: ask,
      requestId: 'r1',
      sessionId: 's1',
      askedAt: 0,
      expiresAt: undefined,
    };
    return [`form ${kind}`, JSON.stringify(toForm(request, { session: 's1', folder: '/srv/app' }))];
  });
}

/** What is said of the switch that claude_code_configure turns, and the form for the person. */
function bypassTexts(): ServedText[] {
  const clock = new FakeClock();
  const bypass = new BypassSwitch({
    clock,
    ids: countingIds(),
    audit: auditInto([]),
    policy: { ...plainPolicy, approvals: 'any' },
    approvers: new Set(),
    standingOf: ({ clientId, canAskPerson }) => ({
      canAskPerson,
      hasPerson: false,
      bypass: bypass.consentOf(clientId),
    }),
    onAnswered: () => undefined,
    onEnded: async () => undefined,
  });
  const off = bypass.report(plainCaller);
  const { form } = bypass.ask(plainCaller);
  const on = bypass.enableWithoutPerson(plainCaller);
  return [off.message, on.message, JSON.stringify(form)].map((text) => ['bypass switch', text]);
}

/** The names of all keys that these tools take or answer with, however deep. */
export function keysOfTools(tools: readonly ServedTool[]): ReadonlySet<string> {
  return new Set(tools.flatMap(({ input, output }) => [input, output()].flatMap((schema) => keysIn(schema))));
}

/** All values that fields of this schema offer. */
export function choicesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'enum' in schema && Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  return [...own, ...Object.values(schema).flatMap(choicesIn)];
}

/** The values that `action` takes. */
export function actionsOfTools(tools: readonly ServedTool[]): ReadonlySet<string> {
  return new Set(
    tools.flatMap(({ input }) => {
      const { properties } = toWireSchema(input) as { properties: { action?: { enum?: string[] } } };
      return properties.action?.enum ?? [];
    }),
  );
}

/** By zod and not by the wire schema, which leaves out what is inside an opaque value. */
function keysIn(type: unknown): string[] {
  if (typeof type !== 'object' || type === null || !('def' in type)) return [];
  const def = (type as z.ZodType).def as unknown as Record<string, unknown>;
  const shape = typeof def['shape'] === 'object' && def['shape'] !== null ? def['shape'] : {};
  return [
    ...Object.keys(shape),
    ...Object.values(shape).flatMap(keysIn),
    ...['innerType', 'element', 'valueType', 'in', 'out'].flatMap((part) => keysIn(def[part])),
    ...(Array.isArray(def['options']) ? def['options'].flatMap(keysIn) : []),
  ];
}

function descriptionsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(descriptionsIn);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptionsIn(value),
  );
}

function subsets<T>(values: readonly T[]): T[][] {
  return values.reduce<T[][]>((all, value) => [...all, ...all.map((some) => [...some, value])], [[]]);
}

function textOf(content: string | object): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
