import type { SessionRow, StreamMessage } from '../../src/page/contract.js';
import type { Action } from './actions.js';
import { markFailed, markSent, settle, sweep, withCard, withInbox } from './requests.js';
import { initialState, type State } from './state.js';
import { watch, withNewer, withOlder } from './timeline.js';

/** The server sends a beat every ten seconds. */
const silenceLimitMs = 15_000;
/** Reconnecting usually takes less time. A shorter limit would make the banner flicker. */
const lossLimitMs = 2_000;

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'message':
      return onMessage(heard(state, action.at), action.message, action.at);
    case 'link':
      if (action.link === 'signed_out') return { ...initialState, link: 'signed_out' };
      return state.link === action.link ? state : { ...state, link: action.link };
    case 'tick':
      return onTick(state, action.at);
    case 'me':
      return { ...state, me: action.me };
    case 'sent':
      return markSent(state, action.answer);
    case 'failed':
      return markFailed(state, action.requestId, action.error);
    case 'settled':
      return settle(state, action.settlement);
    case 'sweep':
      return sweep(state);
    case 'watch':
      return watch(state, action.sessionId);
    case 'older':
      return withOlder(state, action);
  }
}

function heard(state: State, at: number): State {
  return { ...state, heardAt: at, isStale: false, link: 'live' };
}

function onTick(state: State, at: number): State {
  if (state.link === 'signed_out' || state.heardAt === 0) return state;
  const silence = at - state.heardAt;
  const isStale = silence > silenceLimitMs || (state.link !== 'live' && silence > lossLimitMs);
  if (isStale === state.isStale) return state;
  return { ...state, isStale, staleSince: state.heardAt };
}

function onMessage(state: State, message: StreamMessage, at: number): State {
  switch (message.type) {
    case 'hello':
    case 'beat':
      return { ...state, skew: message.now - at };
    case 'inbox':
      return { ...state, hasInbox: true, requests: withInbox(state.requests, message) };
    case 'asked':
      return { ...state, requests: withCard(state.requests, message.card) };
    case 'settled':
      return settle(state, message.settlement);
    case 'sessions':
      return { ...state, rows: withRows(state.rows, message.rows) };
    case 'events':
      return withNewer(state, message);
    case 'bye':
      return message.why === 'signed_out'
        ? { ...initialState, link: 'signed_out' }
        : { ...state, link: 'lost' };
  }
}

function withRows(
  rows: ReadonlyMap<string, SessionRow>,
  changed: readonly SessionRow[],
): ReadonlyMap<string, SessionRow> {
  const next = new Map(rows);
  for (const row of changed) next.set(row.sessionId, row);
  return next;
}
