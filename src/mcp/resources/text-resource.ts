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

/** Reads resources. Building one of those that never change takes up to 20 ms, so their texts are kept. */
export function resourceReader(
  redactor: Redactor,
): (resource: TextResource, signal: AbortSignal) => Promise<string> {
  const kept = new Map<TextResource, string>();
  return async (resource, signal) => {
    const known = kept.get(resource);
    if (known !== undefined) return known;
    const text = textOf(await resource.read(signal), redactor);
    if (resource.isFixed) kept.set(resource, text);
    return text;
  };
}

/** Redacts an object as a value, because masking inside JSON text could break the JSON. */
function textOf(content: string | object, redactor: Redactor): string {
  return typeof content === 'string'
    ? redactor.redact(content)
    : JSON.stringify(redactor.redactValue(content));
}
