import * as z from 'zod';
import { AppError, formatError, messageOf } from '../core/errors.js';
import type { IdSource } from '../core/ids.js';
import type { Logger } from '../core/logger.js';
import type { ToolContext } from '../core/tool-context.js';
import type { Tool, ToolDependencies } from '../toolsets/define-tool.js';
import { cleanArguments } from './clean-arguments.js';
import { toArgumentError } from './explain-issues.js';

export interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

export interface CallDependencies {
  /** The session layer is loaded by the first call, not before. */
  readonly loadDependencies: () => Promise<ToolDependencies>;
  readonly logger: Logger;
  readonly ids: IdSource;
}

/** The one place where a tool call is parsed, and the one where its errors are caught. */
export async function callTool(
  tool: Tool,
  args: unknown,
  deps: CallDependencies,
  context: ToolContext,
): Promise<ToolAnswer> {
  try {
    const cleaned = cleanArguments(args, tool.input);
    const text = await tool.call(
      tool.normalize?.(cleaned) ?? cleaned,
      await deps.loadDependencies(),
      context,
    );
    return { content: [{ type: 'text', text }] };
  } catch (error) {
    return { content: [{ type: 'text', text: formatError(toAppError(error, tool, deps)) }], isError: true };
  }
}

/** Nothing of an unknown error reaches the caller: it may quote what nobody has checked. */
function toAppError(error: unknown, tool: Tool, { logger, ids }: CallDependencies): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return toArgumentError(error, tool.input);
  const incident = ids.short();
  logger.log('error', 'a tool call failed', {
    incident,
    tool: tool.name,
    reason: error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
  });
  return new AppError('INTERNAL', `the server failed (incident ${incident})`, {
    hint: 'Try again; if it fails again, tell the operator the incident id.',
  });
}
