import { onTestFinished } from 'vitest';
import { createDesk } from '../../src/page/create-desk.js';
import type { StreamMessage } from '../../src/page/contract.js';
import type { Desk, Person, StreamRequest } from '../../src/page/desk.js';
import { blindRedactor } from '../kit/redactors.js';
import { createManagerScene, type ManagerSceneOptions } from '../sessions/manager-scene.js';

export const phone: Person = { deviceId: 'd1', device: 'Phone', principal: 'me' };

/** A desk over a session manager on real files, with a fake Claude Code and a fake clock. */
export async function createDeskScene(options: ManagerSceneOptions = {}) {
  const scene = await createManagerScene(options);
  const desk = createDesk({
    sessions: scene.manager,
    redactor: options.redactor ?? blindRedactor,
    version: '0.0.0-test',
  });
  return { ...scene, desk };
}

/** A page that reads the stream, message by message. */
export class StreamPage {
  readonly #end = new AbortController();
  readonly #messages: AsyncIterator<{ readonly cursor: string; readonly message: StreamMessage }>;
  cursor = '';

  constructor(desk: Desk, request: Partial<StreamRequest> = {}, turn = async (): Promise<void> => undefined) {
    const stream = desk.stream(
      { sessionId: undefined, after: 0, cursor: undefined, ...request },
      this.#end.signal,
      turn,
    );
    this.#messages = stream[Symbol.asyncIterator]();
    onTestFinished(() => this.close());
  }

  /** The next message; undefined after the last. */
  async next(): Promise<StreamMessage | undefined> {
    const { value, done } = await this.#messages.next();
    if (done === true) return undefined;
    this.cursor = value.cursor;
    return value.message;
  }

  /** The next message of a type, without those before it. */
  async nextOf<Type extends StreamMessage['type']>(
    type: Type,
  ): Promise<Extract<StreamMessage, { readonly type: Type }>> {
    for (;;) {
      const message = await this.next();
      if (message === undefined) throw new Error(`The stream ended without ${type}`);
      if (message.type === type) return message as Extract<StreamMessage, { readonly type: Type }>;
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#messages.return?.();
  }
}
