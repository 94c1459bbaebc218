/** The person behind a client, who answers its forms after a human delay. */
import type { ElicitResult } from '@modelcontextprotocol/client';
import type { ServerClient } from './server-client.js';
import { until } from './until.js';

export type ShownForm = {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** Aborts when the form is withdrawn. */
  readonly signal: AbortSignal;
};

/** Slower than an automatic answer, which the server ignores. */
export const HUMAN_MS = 350;
/** The server accepts a refusal only after a second. */
export const HUMAN_NO_MS = 1_200;

export type Person = {
  /** All forms shown, oldest first. */
  readonly forms: ShownForm[];
  /** Resolves when the form with this index is shown. */
  form(index: number): Promise<ShownForm>;
};

/** Declared by a client that can show forms. */
export const formCapability = { elicitation: { form: {} } } as const;

/** Calls `answer` for each form, after `delayMs`. */
export function seatPerson(
  { client, takesTime }: Pick<ServerClient, 'client' | 'takesTime'>,
  answer: (form: ShownForm, index: number) => ElicitResult | Promise<ElicitResult>,
  delayMs = HUMAN_MS,
): Person {
  const forms: ShownForm[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    if (!('requestedSchema' in params)) throw new Error('not a form');
    const { properties, required = [] } = params.requestedSchema;
    const form = { message: params.message, fields: properties, required, signal: mcpReq.signal };
    forms.push(form);
    await takesTime(delayMs);
    return answer(form, forms.length - 1);
  });
  return { forms, form: (index) => until(`form ${index} is shown`, () => forms[index]) };
}

export function accept(content: Record<string, string | string[]>): ElicitResult {
  return { action: 'accept', content };
}

/** Waits until the form is withdrawn. */
export function neverAnswer({ signal }: ShownForm): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => reject(new Error('the form was withdrawn'));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

type SettledLine = {
  readonly requestId: string;
  readonly sessionId: string;
  readonly toolName: string;
  readonly decision: string;
  readonly answeredBy: string;
};

/** The settled requests and who settled them, from the server's log. */
export function settledInputs(server: Pick<ServerClient, 'stderr'>): readonly SettledLine[] {
  return server
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"message":"input settled"'))
    .map((line) => JSON.parse(line) as SettledLine);
}
