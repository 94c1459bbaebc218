import type { Redactor } from '../../core/observability/redactor.js';

/** A page that clients with MCP Apps display. */
export const viewType = 'text/html;profile=mcp-app';

/** A text that clients can read on request. */
export interface TextResource {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  /** Default: Markdown. */
  readonly mimeType?: 'application/json' | typeof viewType;
  /** Whether the text stays the same while the server runs. */
  readonly isFixed: boolean;
  /** Builds the text, or an object that is sent as JSON. Nothing it needs is loaded before. */
  readonly read: (signal: AbortSignal) => Promise<string | object>;
}

/** Redacts an object as a value, because masking inside JSON text could break the JSON. */
export function textOf(content: string | object, redactor: Redactor): string {
  return typeof content === 'string'
    ? redactor.redact(content)
    : JSON.stringify(redactor.redactValue(content));
}
