/** One Claude Code process driven by the Agent SDK alone, to test the kit and to compare the server with. */
import { randomUUID } from 'node:crypto';
import {
  query,
  type Options,
  type Query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';
import { deferred } from './deferred.js';

export type BareSession = {
  readonly query: Query;
  /** Every message that the SDK has yielded so far. */
  readonly messages: readonly SDKMessage[];
  /** Resolves when the iterator ends, with the error that it threw, or `undefined`. */
  readonly ended: Promise<Error | undefined>;
  /** Sends a prompt. Returns the uuid that its result contains. */
  send(prompt: string, fields?: Partial<SDKUserMessage>): string;
  /** The first past or future message that satisfies `matches`. Rejects when the iterator ends without one. */
  find(matches: (message: SDKMessage) => boolean): Promise<SDKMessage>;
  /** Sends a prompt and waits for its result. */
  turn(prompt: string): Promise<SDKResultMessage>;
  /** Ends the input. Claude Code finishes the running turn and exits. */
  end(): void;
};

export function startBareSession(options: Options): BareSession {
  const input = createInput();
  const messages: SDKMessage[] = [];
  const ended = deferred<Error | undefined>();
  const running = query({ prompt: input.messages(), options: { permissionMode: 'default', ...options } });
  let arrived = deferred();
  let isOver = false;

  async function readAll(): Promise<void> {
    let failure: Error | undefined;
    try {
      for await (const message of running) {
        messages.push(message);
        arrived.resolve();
        arrived = deferred();
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    isOver = true;
    arrived.resolve();
    ended.resolve(failure);
  }

  async function find(matches: (message: SDKMessage) => boolean): Promise<SDKMessage> {
    for (let index = 0; ; index += 1) {
      // oxlint-disable-next-line no-unmodified-loop-condition -- the reader above sets it
      while (index >= messages.length && !isOver) await arrived.promise;
      const message = messages[index];
      if (message === undefined) break;
      if (matches(message)) return message;
    }
    throw new Error('The session ended without the message that was waited for.', {
      cause: await ended.promise,
    });
  }

  function send(prompt: string, fields: Partial<SDKUserMessage> = {}): string {
    const uuid = randomUUID();
    input.push({
      type: 'user',
      message: { role: 'user', content: prompt },
      parent_tool_use_id: null,
      uuid,
      ...fields,
    });
    return uuid;
  }

  void readAll();
  return {
    query: running,
    messages,
    ended: ended.promise,
    send,
    find,
    turn: async (prompt) => {
      const uuid = send(prompt);
      return (await find((message) => isResultOf(message, uuid))) as SDKResultMessage;
    },
    end: () => input.end(),
  };
}

/** Whether this is the result of the prompt with this uuid. */
function isResultOf(message: SDKMessage, uuid: string): boolean {
  // `user_message_uuids` is not in the SDK's types.
  const { user_message_uuids: uuids } = message as { user_message_uuids?: readonly string[] };
  return message.type === 'result' && uuids?.includes(uuid) === true;
}

function createInput() {
  const waiting: SDKUserMessage[] = [];
  let isOver = false;
  let changed = deferred();
  const wake = (): void => {
    changed.resolve();
    changed = deferred();
  };
  return {
    push: (message: SDKUserMessage): void => {
      waiting.push(message);
      wake();
    },
    end: (): void => {
      isOver = true;
      wake();
    },
    async *messages(): AsyncGenerator<SDKUserMessage> {
      for (;;) {
        const message = waiting.shift();
        if (message) yield message;
        else if (isOver) return;
        else await changed.promise;
      }
    },
  };
}
