import type { Card, Me } from '../../src/page/contract.js';

const minute = 60_000;

export const me: Me = {
  device: {
    deviceId: 'd1',
    name: 'Chrome on Mac',
    createdAt: Date.now() - 9 * 24 * 60 * minute,
    lastUsedAt: Date.now(),
    isThis: true,
  },
  principal: 'alice',
  version: '1.0.0',
  hasPassword: true,
  modes: ['default', 'acceptEdits', 'plan'],
  defaultFolder: '/home/alice/shop',
  budgetTodayUsd: { spent: 4.2, limit: 20 },
};

/** A request to run a command. */
export function commandCard(change: Partial<Card> = {}): Card {
  return {
    ...bareCard(),
    claudeSays: 'Run unit tests and the checkout flow',
    reason: 'No rule allows this command.',
    grant: 'Every command that begins with “npm test”, in this session only.',
    accepts: ['allow', 'allow_for_session', 'deny'],
    ...change,
  };
}

function bareCard(): Card {
  return {
    requestId: 'r-command',
    sessionId: 's-shop',
    kind: 'permission',
    toolName: 'Bash',
    summary: 'Run `npm test -- --coverage && npx playwright test checkout.spec.ts --reporter=line`',
    sessionTitle: 'Fix the failing checkout tests',
    folder: '/home/alice/shop',
    what: {
      type: 'command',
      command: 'npm test -- --coverage && npx playwright test checkout.spec.ts --reporter=line',
      more: { timeout: 120_000 },
    },
    input: {
      command: 'npm test -- --coverage && npx playwright test checkout.spec.ts --reporter=line',
      timeout: 120_000,
      description: 'Run unit tests and the checkout flow',
    },
    accepts: ['allow', 'deny'],
    mayEdit: true,
    isMasked: false,
    askedAt: Date.now() - minute,
    expiresAt: Date.now() + 4 * minute,
  };
}

const before = `import { price } from './price.js';

export interface Item {
  readonly sku: string;
  readonly quantity: number;
}

export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += price(item.sku) * item.quantity;
  }
  return sum;
}

export function isEmpty(items: readonly Item[]): boolean {
  return items.length === 0;
}

export function skus(items: readonly Item[]): string[] {
  return items.map((item) => item.sku);
}

// The end of the module.
`;

export function editCard(change: Partial<Card> = {}): Card {
  const after = before
    .replace('let sum = 0;', 'let cents = 0;')
    .replace('sum += price(item.sku) * item.quantity;', 'cents += priceInCents(item.sku) * item.quantity;')
    .replace('return sum;', 'return cents / 100;')
    .replace('{ price }', '{ priceInCents }');
  return commandCard({
    requestId: 'r-edit',
    toolName: 'Edit',
    summary: 'Edit `/home/alice/shop/src/cart/total.ts`',
    agent: 'Explore',
    what: { type: 'edit', path: '/home/alice/shop/src/cart/total.ts', before, after, more: {} },
    input: { file_path: '/home/alice/shop/src/cart/total.ts', old_string: before, new_string: after },
    claudeSays: 'Adding floats loses cents, so I compute in cents and divide once at the end.',
    reason: 'Edits are asked about in this mode.',
    grant: 'Every edit below /home/alice/shop, in this session only.',
    expiresAt: Date.now() + 52_000,
    ...change,
  });
}

export function planCard(change: Partial<Card> = {}): Card {
  const markdown = `# Move sessions to Redis

Sessions live in memory today, so a **deploy signs everyone out**.

1. Add \`ioredis\` and a small \`SessionStore\` interface.
2. Write both stores for a week, read from memory.
3. Switch reads, then remove the old store.

## Risks

- A slow Redis blocks sign-in. A timeout of 200 ms falls back to memory.
- Keys need a prefix per environment. See [the guide](https://redis.io/docs/keys).

| step | files | risk |
|---|---|---|
| store | 4 | low |
| switch | 2 | medium |

- [x] Read the code
- [ ] Write the store

\`\`\`ts
const store = new RedisSessions(redis, { prefix: 'shop:' });
\`\`\`
`;
  return {
    ...bareCard(),
    requestId: 'r-plan',
    sessionId: 's-redis',
    kind: 'plan_review',
    toolName: 'ExitPlanMode',
    summary: 'Review a plan',
    sessionTitle: 'Plan the session store',
    what: { type: 'plan', markdown, more: {} },
    input: { plan: markdown },
    nextModes: ['default', 'acceptEdits'],
    expiresAt: Date.now() + 28 * minute,
    ...change,
  };
}

export function questionCard(change: Partial<Card> = {}): Card {
  return {
    ...bareCard(),
    requestId: 'r-question',
    sessionId: 's-redis',
    kind: 'user_question',
    toolName: 'AskUserQuestion',
    summary: 'Answer 2 questions',
    sessionTitle: 'Plan the session store',
    what: {
      type: 'questions',
      questions: [
        {
          question: 'Which store should hold the sessions?',
          header: 'Store',
          multiSelect: false,
          options: [
            { label: 'Redis', description: 'Fast, already runs in production.' },
            { label: 'Postgres', description: 'One system less, somewhat slower.' },
          ],
        },
        {
          question: 'Which environments get it first?',
          header: 'Rollout',
          multiSelect: true,
          options: [
            { label: 'Staging', description: 'Safe to break.' },
            { label: 'Canary', description: '5 % of the traffic.' },
            { label: 'Production', description: 'Everyone.' },
          ],
        },
      ],
    },
    mayEdit: false,
    ...change,
  };
}

export function mcpCard(change: Partial<Card> = {}): Card {
  const input = {
    query: "DELETE FROM carts WHERE updated_at < now() - interval '90 days'",
    database: 'shop',
  };
  return commandCard({
    requestId: 'r-mcp',
    toolName: 'mcp__postgres__query',
    summary: 'Use mcp__postgres__query',
    what: { type: 'input', input },
    input,
    server: 'postgres, from .mcp.json of the project, at npx @example/postgres-mcp',
    blockedPath: '/etc/shop/secrets.toml',
    isMasked: true,
    ...change,
  });
}
