/** A browser without a screen: pairs with the page of a running server, calls it and reads its stream. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Calls, CallName, PageError, Paired, StreamMessage } from '../../src/page/contract.js';
import type { Sandbox } from './sandbox.js';
import { until } from './until.js';

const run = promisify(execFile);
const entry = fileURLToPath(new URL('../../dist/claude-code-mcp.js', import.meta.url));

export type Answered<Name extends CallName> = Calls[Name]['output'] & { readonly error?: PageError };

export interface PairedPage {
  call<Name extends CallName>(name: Name, input: Calls[Name]['input']): Promise<Answered<Name>>;
  /** The next message of a type, without those before it. */
  nextOf<Type extends StreamMessage['type']>(
    type: Type,
  ): Promise<Extract<StreamMessage, { readonly type: Type }>>;
}

/** Opens the page that runs in this sandbox, as a device with this name. */
export async function pairPage(sandbox: Pick<Sandbox, 'env'>, name: string): Promise<PairedPage> {
  const print = () =>
    run(process.execPath, [entry, 'open', '--print'], { env: sandbox.env() }).then(
      ({ stdout }) => new URL(stdout.trim()),
      () => undefined,
    );
  const link = await until('the page runs', print);
  const { origin } = link;
  const headers = { origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const paired = await fetch(`${origin}/api/pair`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code: link.hash.replace('#pair=', ''), name }),
  });
  const { key } = (await paired.json()) as Paired;
  const cookie = (paired.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const own = { ...headers, cookie, 'page-key': key };
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
