import type { Card, PersonAnswer, SessionRow } from '../../src/page/contract.js';
import type { CardPage, Overview, OverviewRequestRow } from '../../src/page/view/contract.js';
import type { Request } from '../live/state.js';
import { readCard } from './read-card.js';

/** The program that shows this view. */
export interface Host {
  /** What the host can do, after the handshake. */
  readonly can: { readonly openLinks: boolean };
  /** Calls a tool of our server. Rejects with the error text of the tool. */
  callTool(name: string, args: object): Promise<unknown>;
  /** Opens an address in the person's browser. */
  openLink(url: string): Promise<void>;
}

export interface ViewState {
  readonly mayApprove: boolean;
  readonly requests: readonly Request[];
  /** How many others are open. */
  readonly moreRequests: number;
  /** The page on which a person approves, by request. */
  readonly pages: ReadonlyMap<string, string>;
  /** The host has not opened a page, so the person has to. */
  readonly hasRefusedLink: boolean;
  readonly sessions: readonly SessionRow[];
  readonly session: SessionRow | undefined;
  readonly result: string | undefined;
  readonly problem: string | undefined;
}

export const emptyState: ViewState = {
  mayApprove: false,
  requests: [],
  moreRequests: 0,
  pages: new Map(),
  hasRefusedLink: false,
  sessions: [],
  session: undefined,
  result: undefined,
  problem: undefined,
};

const tool = 'claude_code_view';
const waitMs = 20_000;
/** After a failure, and while there is no session to wait for. */
const pauseMs = 3_000;

/** Keeps a view up to date through the tool of our server. */
export class ViewDesk {
  readonly #host: Host;
  readonly #onState: (state: ViewState) => void;
  readonly #cards = new Map<string, Card>();
  #state = emptyState;
  #sessionId: string | undefined;
  /** The last one that could be shown. */
  #shownId: string | undefined;

  constructor(host: Host, onState: (state: ViewState) => void) {
    this.#host = host;
    this.#onState = onState;
  }

  /** Never ends: the host removes the frame. The requests appear even if the chosen session cannot be shown. */
  async run(chosen?: string): Promise<void> {
    let next = chosen;
    for (let isFirst = true; ; isFirst = false) {
      try {
        await this.#look({ waitMs: isFirst ? 0 : waitMs });
        // A person may have selected another one meanwhile.
        if (next !== undefined && this.#sessionId === undefined) await this.select(next);
        next = undefined;
        if (this.#state.sessions.length === 0) await pause();
      } catch (error) {
        this.#set({ problem: wordsOf(error) });
        await pause();
      }
    }
  }

  async select(sessionId: string): Promise<void> {
    this.#sessionId = sessionId;
    try {
      await this.#look({});
    } catch (error) {
      if (this.#sessionId !== sessionId) return;
      // Otherwise every later look would fail as well.
      this.#sessionId = this.#shownId;
      this.#set({ problem: wordsOf(error) });
    }
  }

  async answer(answer: PersonAnswer): Promise<void> {
    this.#setRequest(answer.requestId, { phase: 'sent', answer });
    try {
      await this.#look({ answer });
    } catch (error) {
      this.#setRequest(answer.requestId, {
        phase: 'open',
        error: { reason: 'refused', message: wordsOf(error) },
      });
    }
  }

  async openPage(url: string): Promise<void> {
    await this.#host.openLink(url).catch(() => this.#set({ hasRefusedLink: true }));
  }

  async #look(args: { readonly waitMs?: number; readonly answer?: PersonAnswer }): Promise<void> {
    const sessionId = this.#sessionId;
    const chosen = sessionId === undefined ? {} : { sessionId };
    const overview = (await this.#host.callTool(tool, { ...chosen, ...args })) as Overview;
    if (this.#sessionId === sessionId) this.#shownId = sessionId;
    await this.#show(overview, sessionId);
  }

  async #show(overview: Overview, sessionId: string | undefined): Promise<void> {
    const { mayApprove, requests, moreRequests = 0, sessions, session, result } = overview;
    const open = new Set(requests.map(({ requestId }) => requestId));
    for (const requestId of this.#cards.keys()) if (!open.has(requestId)) this.#cards.delete(requestId);
    const cards = await Promise.all(
      requests.map(async (request) => limited(await this.#cardOf(request), mayApprove)),
    );
    const before = new Map(this.#state.requests.map((request) => [request.card.requestId, request]));
    this.#set({
      mayApprove,
      sessions,
      // Another session may have been selected since this was asked.
      ...(this.#sessionId === sessionId && { session, result }),
      problem: undefined,
      requests: cards
        .filter((card) => card !== undefined)
        .map((card): Request => ({ ...(before.get(card.requestId) ?? { phase: 'open' }), card })),
      moreRequests,
      pages: new Map(
        requests.flatMap(({ requestId, answerAt }) =>
          answerAt === undefined ? [] : [[requestId, answerAt] as const],
        ),
      ),
    });
  }

  /** Undefined if it was settled or has changed while it was read. */
  async #cardOf({ requestId }: OverviewRequestRow): Promise<Card | undefined> {
    const known = this.#cards.get(requestId);
    if (known !== undefined) return known;
    const card = await readCard(
      async (offset) => (await this.#host.callTool(tool, { requestId, offset })) as CardPage,
    ).catch(() => undefined);
    if (card !== undefined) this.#cards.set(requestId, card);
    return card;
  }

  #setRequest(requestId: string, change: Partial<Request>): void {
    this.#set({
      requests: this.#state.requests.map((request) =>
        request.card.requestId === requestId ? { ...request, ...change } : request,
      ),
    });
  }

  #set(change: Partial<ViewState>): void {
    this.#state = { ...this.#state, ...change };
    this.#onState(this.#state);
  }
}

/** A person may have answered another request since the card was read. */
function limited(card: Card | undefined, mayApprove: boolean): Card | undefined {
  const isLimited = !mayApprove && card?.kind !== 'user_question';
  return card && isLimited ? { ...card, accepts: ['deny'], mayEdit: false } : card;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}
