import type { Card, Settlement } from '../../src/page/contract.js';
import type { IconName } from '../parts/icons.js';

/** How a kind of request is named and drawn. */
export function kindOf(card: Card): { readonly name: string; readonly icon: IconName } {
  switch (card.what.type) {
    case 'command':
      return { name: 'Run a command', icon: 'terminal' };
    case 'edit':
      return { name: card.what.before === undefined ? 'Write a file' : 'Change a file', icon: 'file' };
    case 'plan':
      return { name: 'Review a plan', icon: 'plan' };
    case 'questions':
      return { name: 'Answer a question', icon: 'question' };
    case 'input':
      return { name: `Use ${card.toolName}`, icon: 'tool' };
  }
}

const answerers: Readonly<Record<Settlement['by'], string>> = {
  page: 'a person on this page',
  rule: 'a rule',
  caller: 'the client that started the session',
  elicitation: 'a form in the client',
  timeout: 'the deadline',
  interrupt: 'an interruption of the session',
  cancel: 'the cancellation of the session',
  withdrawn: 'Claude Code, which withdrew the request',
  shutdown: 'the shutdown of the server',
};

/** Who settled a request. `device` is the name of this device. */
export function answerer(settlement: Settlement, device: string | undefined): string {
  if (settlement.device === undefined) return answerers[settlement.by];
  return settlement.device === device ? 'you, on this device' : `a person on “${settlement.device}”`;
}

export function outcome(settlement: Settlement, kind: Card['kind'] = 'permission'): string {
  if (settlement.decision === 'none') return 'Closed';
  const isAllowed = settlement.decision === 'allow';
  if (kind === 'user_question') return isAllowed ? 'Answered' : 'Declined';
  if (kind === 'plan_review') return isAllowed ? 'Approved' : 'Sent back';
  return isAllowed ? 'Allowed' : 'Denied';
}

const modes: Readonly<Record<string, string>> = {
  default: 'Ask before edits and commands',
  acceptEdits: 'Accept edits, ask before commands',
  plan: 'Plan only, change nothing',
  bypassPermissions: 'Allow everything without asking',
  dontAsk: 'Deny everything that is not allowed by a rule',
  auto: 'Let Claude Code decide',
};

export function modeName(mode: string): string {
  return modes[mode] ?? mode;
}
