/** A caller that remembers what the server has acknowledged. Only that must survive a kill. */
import type { AnswerJson, EventJson, ResultJson } from '../kit/answer-json.js';
import type { ServerClient, ToolReply } from '../kit/server-client.js';

export class Witness {
  readonly #server: Pick<ServerClient, 'call'>;
  sessionId: string | undefined;
  status: string | undefined;
  cursor = 0;
  costUsd = 0;
  isCancelled = false;
  readonly events = new Map<number, EventJson>();
  readonly results = new Map<number, ResultJson>();
  readonly open = new Set<string>();
  readonly answered = new Map<string, string>();
  readonly queued: string[] = [];
  /** Resolves when all replies have been answered. */
  replied: Promise<unknown> = Promise.resolve();
  #isFollowing = false;
  #isFrozen = false;

  constructor(server: Pick<ServerClient, 'call'>) {
    this.#server = server;
  }

  /** Undefined if the kill came before the answer. */
  async call(name: string, args: Record<string, unknown>): Promise<ToolReply | undefined> {
    const reply = await this.#server.call(name, args).catch(() => undefined);
    if (this.#isFrozen) return undefined;
    if (reply?.isError === false) this.#see(reply.json);
    return reply;
  }

  /** Ignores later answers of a server that survives the kill. */
  freeze(): void {
    this.#isFrozen = true;
  }

  start(prompt: string, args: Record<string, unknown> = {}): Promise<ToolReply | undefined> {
    return this.call('claude_code', { prompt, ...args });
  }

  reply(prompt: string, args: Record<string, unknown> = {}): Promise<ToolReply | undefined> {
    const replied = this.call('claude_code_reply', { sessionId: this.sessionId, prompt, ...args });
    this.replied = Promise.all([this.replied, replied]);
    return replied;
  }

  session(action: string): Promise<ToolReply | undefined> {
    return this.call('claude_code_session', { sessionId: this.sessionId, action });
  }

  async queue(prompt: string): Promise<void> {
    const reply = await this.reply(prompt, { whenBusy: 'queue' });
    if (reply?.isError === false) this.queued.push(prompt);
  }

  async cancel(): Promise<void> {
    const reply = await this.session('cancel');
    if (reply?.isError === false) this.isCancelled = true;
  }

  async respond(requestId: string, decision: string): Promise<void> {
    const reply = await this.call('claude_code_respond', { requestId, decision, waitMs: 0 });
    if (reply?.isError !== false) return;
    this.open.delete(requestId);
    this.answered.set(requestId, decision);
  }

  /** Reads events as they come, until the server is gone. */
  follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    void this.#followOn();
  }

  async #followOn(): Promise<void> {
    for (;;) {
      const { sessionId, cursor } = this;
      const reply = await this.call('claude_code_check', {
        sessionId,
        cursor,
        include: ['events'],
        waitMs: 20_000,
      });
      if (reply?.isError !== false) return;
    }
  }

  #see(answer: AnswerJson): void {
    this.sessionId ??= answer.sessionId;
    this.status = answer.status;
    for (const event of answer.events ?? []) this.events.set(event.seq, event);
    if (answer.events !== undefined) this.cursor = Math.max(this.cursor, Number(answer.cursor));
    for (const { requestId } of answer.actions ?? [])
      if (!this.answered.has(requestId)) this.open.add(requestId);
    if (answer.result === undefined) return;
    this.results.set(answer.result.turn, answer.result);
    this.costUsd = Math.max(this.costUsd, answer.result.sessionTotalCostUsd);
  }
}
