import type { CacheHint, McpServer } from '@modelcontextprotocol/server';
import type { Redactor } from '../core/observability/redactor.js';

/** A text that clients can read on request. */
export interface TextResource {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  /** Default: Markdown. */
  readonly mimeType?: 'application/json';
  /** Whether the text stays the same while the server runs. */
  readonly isFixed: boolean;
  /** Builds the text, or an object that is sent as JSON. Nothing it needs is loaded before. */
  readonly read: () => Promise<string | object>;
}

const anHour: CacheHint = { ttlMs: 3_600_000, cacheScope: 'public' };

export function offerResources(
  server: McpServer,
  resources: readonly TextResource[],
  redactor: Redactor,
): void {
  for (const { name, uri, title, description, mimeType = 'text/markdown', isFixed, read } of resources) {
    const config = { title, description, mimeType, ...(isFixed ? { cacheHint: anHour } : {}) };
    server.registerResource(name, uri, config, async () => ({
      contents: [{ uri, mimeType, text: redacted(await read(), redactor) }],
    }));
  }
}

/** Redacts an object as a value, because masking inside JSON text could break the JSON. */
function redacted(content: string | object, redactor: Redactor): string {
  return typeof content === 'string'
    ? redactor.redact(content)
    : JSON.stringify(redactor.redactValue(content));
}
