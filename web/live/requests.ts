import type { Card, PageError, PersonAnswer, Settlement, StreamMessage } from '../../src/page/contract.js';
import { isOpen, type Request, type State } from './state.js';

export function markSent(state: State, answer: PersonAnswer): State {
  return changeRequest(state, answer.requestId, (request) => ({
    card: request.card,
    phase: isOpen(request) ? 'sent' : request.phase,
    answer,
  }));
}

/** Someone else may have been first: then the error names them. Otherwise the request is open again. */
export function markFailed(state: State, requestId: string, error: PageError): State {
  return changeRequest(state, requestId, (request) => {
    const settlement = error.settlement ?? request.settlement;
    if (settlement !== undefined) return { ...request, phase: 'settled', settlement, error };
    return { ...request, phase: request.phase === 'sent' ? 'open' : request.phase, error };
  });
}

export function sweep(state: State): State {
  const requests = state.requests.filter(isOpen);
  return requests.length === state.requests.length ? state : { ...state, requests };
}

export function settle(state: State, settlement: Settlement): State {
  return changeRequest(state, settlement.requestId, (request) => ({
    ...request,
    phase: 'settled',
    settlement,
  }));
}

function changeRequest(state: State, requestId: string, change: (request: Request) => Request): State {
  if (!state.requests.some(({ card }) => card.requestId === requestId)) return state;
  const requests = state.requests.map((request) =>
    request.card.requestId === requestId ? change(request) : request,
  );
  return { ...state, requests };
}

type Inbox = Extract<StreamMessage, { readonly type: 'inbox' }>;

/** Known requests keep their place, and new ones are appended: nothing moves under a finger. */
export function withInbox(requests: readonly Request[], { cards, settled }: Inbox): readonly Request[] {
  const open = new Set(cards.map(({ requestId }) => requestId));
  const kept = requests.map((request): Request => {
    const { requestId } = request.card;
    if (open.has(requestId) || request.phase === 'settled') return request;
    const settlement = settled.find((one) => one.requestId === requestId);
    if (settlement !== undefined) return { ...request, phase: 'settled', settlement };
    return { card: request.card, phase: 'gone', ...(request.answer && { answer: request.answer }) };
  });
  return cards.reduce<readonly Request[]>(withCard, kept);
}

export function withCard(requests: readonly Request[], card: Card): readonly Request[] {
  const known = requests.find((request) => request.card.requestId === card.requestId);
  if (known === undefined) return [...requests, { card, phase: 'open' }];
  if (known.phase === 'settled') return requests;
  if (known.phase !== 'gone' && JSON.stringify(known.card) === JSON.stringify(card)) return requests;
  const phase = known.phase === 'gone' ? 'open' : known.phase;
  return requests.map((request) => (request === known ? { ...request, card, phase } : request));
}
