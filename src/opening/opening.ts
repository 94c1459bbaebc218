import type { JsonObject } from '../core/json.js';
import { readOpeningMessage, type Id, type OpeningMessage } from './messages.js';

/** Answers of the MCP SDK for one configuration, written by the build. */
export interface OpeningAnswers {
  /** Of this program. */
  readonly version: string;
  readonly protocolVersions: { readonly legacy: readonly string[]; readonly modern: readonly string[] };
  readonly initialize: JsonObject;
  /** Results by method. */
  readonly results: Readonly<Record<string, JsonObject>>;
  /** Members that the 2026 protocol adds to these results. A method that is missing here does not exist there. */
  readonly modern: Readonly<Record<string, JsonObject>>;
}

/** A message that was answered, or that needed no answer. */
export interface PassedMessage {
  readonly line: string;
  /** As sent, without the newline. */
  readonly answer?: string | undefined;
}

/** Answers beyond this number are left to the rest of the server, which also handles clients that do not read. */
const mostAnswers = 16;

/** Answers the messages with which a connection begins, as the SDK would. */
export class Opening {
  readonly #answers: OpeningAnswers;
  readonly #passed: PassedMessage[] = [];
  /** Undefined until the client has settled on a protocol. */
  #era: 'legacy' | 'modern' | undefined;

  constructor(answers: OpeningAnswers) {
    this.#answers = answers;
  }

  get passed(): readonly PassedMessage[] {
    return this.#passed;
  }

  /** Undefined if the rest of the server has to answer this message and all that follow. */
  take(line: string): PassedMessage | undefined {
    if (this.#passed.length === mostAnswers) return undefined;
    const message = readOpeningMessage(line);
    const passed = message && this.#pass(line, message);
    if (passed !== undefined) this.#passed.push(passed);
    return passed;
  }

  #pass(line: string, message: OpeningMessage): PassedMessage | undefined {
    if (message.kind === 'initialized') return this.#era === 'legacy' ? { line } : undefined;
    const result = message.kind === 'initialize' ? this.#initialize(message) : this.#result(message);
    return result && { line, answer: answerTo(message.id, result) };
  }

  #initialize({ version }: { readonly version: string }): JsonObject | undefined {
    const { initialize, protocolVersions } = this.#answers;
    if (this.#era !== undefined || !protocolVersions.legacy.includes(version)) return undefined;
    this.#era = 'legacy';
    return { ...initialize, protocolVersion: version };
  }

  #result({
    method,
    version,
  }: {
    readonly method: string;
    readonly version: string | undefined;
  }): JsonObject | undefined {
    const { results, modern, protocolVersions } = this.#answers;
    if (!Object.hasOwn(results, method)) return undefined;
    if (version === undefined) {
      const isLegacy = this.#era === 'legacy' && method !== discover;
      return isLegacy ? results[method] : undefined;
    }
    if (this.#era === 'legacy' || !protocolVersions.modern.includes(version)) return undefined;
    if (!Object.hasOwn(modern, method)) return undefined;
    // A client may ask for the protocols of the server and then choose the older one.
    if (method !== discover) this.#era = 'modern';
    return { ...results[method], ...modern[method] };
  }
}

const discover = 'server/discover';

/** In the order in which the SDK writes the members. */
function answerTo(id: Id, result: JsonObject): string {
  return JSON.stringify({ result, jsonrpc: '2.0', id });
}
