/** A browser without a screen: pairs with the page of a running server, calls it and reads its stream. */
import { onTestFinished } from 'vitest';
import type { Calls, CallName, PageError, StreamMessage } from '../../src/page/contract.js';
import { pairClient } from './page.js';
import type { Sandbox } from './sandbox.js';
import { until } from './until.js';

export type Answered<Name extends CallName> = Calls[Name]['output'] & { readonly error?: PageError };

export interface PairedPage {
  call<Name extends CallName>(name: Name, input: Calls[Name]['input']): Promise<Answered<Name>>;
  /** The next message of a type, without those before it. */
  nextOf<Type extends StreamMessage['type']>(
    type: Type,
  ): Promise<Extract<StreamMessage, { readonly type: Type }>>;
}

/** Opens the page that runs in this sandbox, as a device with this name. */
export async function pairPage(sandbox: Sandbox, name: string): Promise<PairedPage> {
  const { origin, headers } = await until('the page runs', () =>
    pairClient(sandbox, name).catch(() => undefined),
  );
  const own = { ...headers, 'content-type': 'application/json' };
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const stream = await fetch(`${origin}/api/stream`, { headers: own, signal: leaving.signal });
  const messages = messagesOf(stream);
  return {
    async call(call, input) {
      const reply = await fetch(`${origin}/api/${call}`, {
        method: 'POST',
        headers: own,
        body: JSON.stringify(input),
      });
      return (await reply.json()) as Answered<typeof call>;
    },
    async nextOf(type) {
      for (;;) {
        const { value, done } = await messages.next();
        if (done === true) throw new Error(`The stream ended without ${type}`);
        if (value.type === type) return value as never;
      }
    },
  };
}

async function* messagesOf({ body }: Response): AsyncGenerator<StreamMessage> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = part.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as StreamMessage;
    }
  }
}
