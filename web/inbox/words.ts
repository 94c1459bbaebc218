import { answererInWords } from '../../src/core/text/answerer.js';
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

/** Who settled a request. `device` is the name of this device. */
export function answerer(settlement: Settlement, device: string | undefined): string {
  if (settlement.device !== undefined && settlement.device === device) return 'you, on this device';
  return answererInWords(settlement.by, settlement.device);
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
