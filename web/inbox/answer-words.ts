import type { Card } from '../../src/page/contract.js';

/** What the buttons of a request say. */
export interface AnswerWords {
  readonly allow: string;
  readonly deny: string;
  readonly denyWith: string;
  readonly edit: string;
}

export function wordsFor(card: Card, isEdited: boolean): AnswerWords {
  switch (card.what.type) {
    case 'questions':
      return { allow: 'Send answers', deny: 'Decline', denyWith: 'Decline with a message', edit: '' };
    case 'plan':
      return {
        allow: isEdited ? 'Approve as edited' : 'Approve plan',
        deny: 'Send back',
        denyWith: 'Send back with a message',
        edit: 'Edit the plan',
      };
    case 'command':
    case 'edit':
    case 'input':
      return {
        allow: isEdited ? 'Allow as edited' : 'Allow once',
        deny: 'Deny',
        denyWith: 'Deny with a message',
        edit: card.what.type === 'command' ? 'Edit the command' : 'Edit the input',
      };
  }
}
