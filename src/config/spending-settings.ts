import { amount, integer } from './setting.js';

/** Caps on what sessions may use up. */
export const spendingSettings = {
  maxTurns: integer({
    flag: 'max-turns',
    env: ['CLAUDE_CODE_MCP_MAX_TURNS'],
    min: 0,
    max: 10_000,
    fallback: 0,
    doc: 'The most model turns a prompt may take, whatever a caller asks for. 0 = no cap.',
  }),
  maxBudgetUsd: amount({
    flag: 'max-budget-usd',
    env: ['CLAUDE_CODE_MCP_MAX_BUDGET_USD'],
    fallback: undefined,
    doc: 'The most a session may cost in US dollars, whatever a caller asks for. Default: no cap.',
  }),
  maxBudgetUsdPerDay: amount({
    flag: 'max-budget-usd-per-day',
    env: ['CLAUDE_CODE_MCP_MAX_BUDGET_USD_PER_DAY'],
    fallback: undefined,
    doc: 'The most all sessions together may cost in a day, in US dollars. Default: no cap.',
  }),
} as const;
