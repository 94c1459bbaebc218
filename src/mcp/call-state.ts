import {
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { AppError } from '../core/errors.js';
import type { CallState } from '../core/tool-context.js';

const sealedSchema = z.object({
  tool: z.string(),
  args: z.string(),
  state: z.object({
    sessionId: z.string(),
    requestId: z.string(),
    cursor: z.number(),
    deadline: z.number(),
    round: z.number(),
    askedAt: z.number(),
  }),
});

type Sealed = z.infer<typeof sealedSchema>;

/** The call that a state belongs to. The state is valid for this tool and these arguments only. */
export interface SealedCall {
  readonly tool: string;
  readonly args: unknown;
}

/** A person may leave a form open for hours. */
const ttlSeconds = 86_400;

/** Seals the progress of a call. The client sends it back and must not be able to change it. */
export class CallStates {
  readonly #clientIdOf: (context: ServerContext) => string;
  #codec: RequestStateCodec<Sealed> | undefined;

  constructor(clientIdOf: (context: ServerContext) => string) {
    this.#clientIdOf = clientIdOf;
  }

  async seal({ tool, args }: SealedCall, state: CallState, context: ServerContext): Promise<string> {
    return this.#sealer().mint({ tool, args: await hashOf(args), state }, context);
  }

  /** Returns the state if it was sealed for this call, and throws otherwise. */
  async open(sealed: string, { tool, args }: SealedCall, context: ServerContext): Promise<CallState> {
    const payload = await this.#sealer()
      .verify(sealed, context)
      .catch(() => undefined);
    const { success, data } = sealedSchema.safeParse(payload);
    if (!success) throw new AppError('request_state_foreign');
    if (data.tool !== tool || data.args !== (await hashOf(args)))
      throw new AppError('request_state_of_other_call');
    return data.state;
  }

  // A random key per process is enough: open requests do not survive the process either.
  #sealer(): RequestStateCodec<Sealed> {
    this.#codec ??= createRequestStateCodec<Sealed>({
      key: crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds,
      bind: this.#clientIdOf,
    });
    return this.#codec;
  }
}

/** Loaded when a form is shown, because node:crypto would delay the start. */
async function hashOf(args: unknown): Promise<string> {
  const { canonicalHash } = await import('../core/canonical-hash.js');
  return canonicalHash(args);
}
