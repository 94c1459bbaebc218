import type {
  ChangedFile,
  Device,
  SessionDetails,
  SessionRow,
  TimelineEvent,
  ToolCall,
  Usage,
} from '../../src/page/contract.js';
import { me } from './samples.js';

const minute = 60_000;
const day = 24 * 60 * minute;

export function row(change: Partial<SessionRow> = {}): SessionRow {
  return {
    sessionId: 's-shop',
    title: 'Fix the failing checkout tests',
    folder: '/home/alice/shop',
    status: 'waiting',
    activity: 'Waits for an answer to Bash',
    costUsd: 1.84,
    budgetUsd: 5,
    createdAt: Date.now() - 26 * minute,
    lastUsedAt: Date.now() - minute / 2,
    openRequests: 3,
    ...change,
  };
}

export function rows(): SessionRow[] {
  return [
    row(),
    row({
      sessionId: 's-redis',
      title: 'Plan the session store',
      activity: 'Waits for a plan review',
      costUsd: 0.42,
      budgetUsd: 2,
      openRequests: 2,
      lastUsedAt: Date.now() - 3 * minute,
    }),
    without(
      row({
        sessionId: 's-docs',
        title: 'Rewrite the API reference from the OpenAPI file',
        folder: '/home/alice/docs',
        status: 'running',
        activity: 'Reads openapi/orders.yaml',
        costUsd: 0.93,
        openRequests: 0,
      }),
    ),
    without(
      row({
        sessionId: 's-idle',
        title: 'Upgrade to Node 24',
        folder: '/home/alice/billing-service',
        status: 'idle',
        costUsd: 3.11,
        openRequests: 0,
        lastUsedAt: Date.now() - 180 * minute,
      }),
    ),
    row({
      sessionId: 's-error',
      title: 'Find the memory leak in the worker',
      folder: '/home/alice/worker',
      status: 'error',
      activity: 'The budget is spent',
      costUsd: 9.97,
      budgetUsd: 10,
      openRequests: 0,
      lastUsedAt: Date.now() - day,
    }),
    without(
      row({
        sessionId: 's-disk',
        title: 'Explain the deploy script',
        folder: '/home/alice/infra',
        status: 'disk',
        costUsd: 0,
        openRequests: 0,
        lastUsedAt: Date.now() - 4 * day,
      }),
    ),
  ];
}

function without({ budgetUsd: _budget, activity, status, ...rest }: SessionRow): SessionRow {
  return { ...rest, status, ...(status === 'running' && activity !== undefined && { activity }) };
}

export function details(sessionRow: SessionRow, head: number): SessionDetails {
  return {
    row: sessionRow,
    mode: 'default',
    model: 'claude-opus-4-5',
    turns: 4,
    queued: [],
    notes: [],
    resumeCommand: 'cd /home/alice/shop && claude --resume 3f1c2f6e-6d0b-4c55-9f0d-6a2f6a1f0b11',
    head,
    may: {
      reply: sessionRow.status !== 'cancelled',
      interrupt: sessionRow.status === 'running' || sessionRow.status === 'waiting',
      cancel: sessionRow.status !== 'disk',
    },
  };
}

type Body = TimelineEvent['body'];

/** Numbers the events of a session. */
export function timeline(bodies: readonly (Body | readonly [agent: string, body: Body])[]): TimelineEvent[] {
  return bodies.map((entry, index) => {
    const common = { seq: index + 1, at: Date.now() - (bodies.length - index) * 20_000, turn: 1 };
    return 'type' in entry ? { ...common, body: entry } : { ...common, agent: entry[0], body: entry[1] };
  });
}

export function shopEvents(): TimelineEvent[] {
  return timeline([
    { type: 'prompt', text: 'The checkout tests fail since yesterday. Find out why and fix it.' },
    { type: 'thinking', text: 'The failure mentions rounding. I should look at how totals are computed.' },
    { type: 'text', text: 'I’ll look at the **failing tests** first, then at `src/cart/total.ts`.' },
    { type: 'tool_use', toolUseId: 't1', toolName: 'Bash', summary: 'npm test -- checkout' },
    { type: 'tool_result', toolUseId: 't1', isError: true, isDenied: false, text: '2 failed' },
    { type: 'tool_use', toolUseId: 't2', toolName: 'Task', summary: 'Explore: where are prices rounded?' },
    ['Explore', { type: 'tool_use', toolUseId: 't3', toolName: 'Grep', summary: 'toFixed in src/' }],
    ['Explore', { type: 'tool_result', toolUseId: 't3', isError: false, isDenied: false, text: '4 matches' }],
    ['Explore', { type: 'text', text: 'Prices are rounded in four places, twice in `total.ts`.' }],
    { type: 'tool_result', toolUseId: 't2', isError: false, isDenied: false, text: 'done' },
    {
      type: 'asked',
      requestId: 'r-old',
      toolUseId: 't4',
      kind: 'permission',
      toolName: 'Read',
      summary: 'Read /etc/hosts',
    },
    {
      type: 'settled',
      settlement: {
        requestId: 'r-old',
        sessionId: 's-shop',
        decision: 'deny',
        by: 'elicitation',
        at: Date.now() - 5 * minute,
      },
    },
    { type: 'note', text: 'The mode is now acceptEdits.' },
    {
      type: 'text',
      text: 'The cause:\n\n1. `price` returns dollars as a float.\n2. `total` adds them up, so `0.1 + 0.2` appears.\n\nI will compute in cents. See [IEEE 754](https://en.wikipedia.org/wiki/IEEE_754).',
    },
    {
      type: 'asked',
      requestId: 'r-command',
      toolUseId: 't5',
      kind: 'permission',
      toolName: 'Bash',
      summary: 'Bash: `npm test -- --coverage && npx playwright test checkout.spec.ts --reporter=line`',
    },
  ]);
}

export const toolCall: ToolCall = {
  what: { type: 'command', command: 'npm test -- checkout', more: {} },
  result:
    ' FAIL  checkout.test.ts\n  ✗ adds up prices (3 ms)\n    expected 0.30000000000000004 to equal 0.3\n',
  isError: true,
};

export const changedFiles: readonly ChangedFile[] = [
  {
    path: '/home/alice/shop/src/cart/total.ts',
    before: 'let sum = 0;\nfor (const item of items) sum += price(item);\nreturn sum;\n',
    after: 'let cents = 0;\nfor (const item of items) cents += priceInCents(item);\nreturn cents / 100;\n',
  },
  {
    path: '/home/alice/shop/src/cart/cents.ts',
    before: undefined,
    after: 'export const toCents = (usd: number): number => Math.round(usd * 100);\n',
  },
  {
    path: '/home/alice/shop/assets/logo.png',
    before: undefined,
    after: undefined,
    note: 'Binary files are not shown.',
  },
];

export function devices(): readonly Device[] {
  return [
    me.device,
    {
      deviceId: 'd2',
      name: 'Safari on iPhone',
      createdAt: Date.now() - 3 * day,
      lastUsedAt: Date.now() - 40 * minute,
      isThis: false,
    },
    {
      deviceId: 'd3',
      name: 'Firefox on Linux',
      createdAt: Date.now() - 60 * day,
      lastUsedAt: Date.now() - 12 * day,
      isThis: false,
    },
  ];
}

export function usage(): Usage {
  const days = Array.from({ length: 30 }, (_, index) => {
    const costUsd = Math.round(100 * (3 + 2.6 * Math.sin(index / 2.1) + (index % 7 < 2 ? -2 : 1.5))) / 100;
    return {
      date: new Date(Date.now() - (29 - index) * day).toISOString().slice(0, 10),
      costUsd: Math.max(0.2, costUsd),
      turns: 12 + (index % 9),
      tokens: 180_000 + index * 9000,
    };
  });
  return {
    total: { costUsd: 121.37, turns: 482, tokens: 9_310_000 },
    days,
    projects: [
      { folder: '/home/alice/shop', costUsd: 64.2, turns: 240, tokens: 5_200_000 },
      { folder: '/home/alice/billing-service', costUsd: 38.9, turns: 160, tokens: 2_900_000 },
      { folder: '/home/alice/docs', costUsd: 18.27, turns: 82, tokens: 1_210_000 },
    ],
    models: [
      { model: 'claude-opus-4-5', costUsd: 88.3, turns: 210, tokens: 4_100_000 },
      { model: 'claude-sonnet-4-5', costUsd: 31.6, turns: 230, tokens: 4_600_000 },
      { model: 'claude-haiku-4-5', costUsd: 1.47, turns: 42, tokens: 610_000 },
    ],
  };
}
