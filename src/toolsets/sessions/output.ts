import * as z from 'zod';
import { statuses } from './status.js';

/** Output schemas, for clients that want structured results. Built on demand. */
function briefShape() {
  return {
    sessionId: z.string(),
    status: z.enum(statuses),
    error: z.string().optional(),
    readMore: z.string().optional(),
    runsIn: z.string().optional(),
    keptPrompts: z.array(z.string()).optional(),
    readMoreKeptPrompts: z.string().optional(),
    voidRequests: z.array(z.string()).optional(),
    notSaved: z.string().optional(),
    notRestored: z.array(z.string()).optional(),
  };
}

export function briefOutput(): z.ZodObject {
  return z.looseObject(briefShape());
}

export function createOutput(): z.ZodObject {
  return z.looseObject({ ...briefShape(), projectSettings: z.string().optional() });
}

export function interruptOutput(): z.ZodObject {
  return z.looseObject({ ...briefShape(), droppedPrompts: z.number().optional() });
}

/** Answer with the status, or with a page of a long text. */
export function statusOutput(): z.ZodObject {
  return z.looseObject({
    ...briefShape(),
    sessionId: z.string().optional(),
    cursor: z.number().optional(),
    droppedEvents: z.number().optional(),
    result: z.string().optional(),
    recentOutput: z.array(z.string()).optional(),
    readMoreOutput: z.string().optional(),
    note: z.string().optional(),
    pendingInputs: z
      .array(
        z.looseObject({
          inputId: z.string(),
          type: z.enum(['permission', 'plan_review', 'user_question']),
          toolName: z.string(),
          toolInput: z.looseObject({}),
          description: z.string(),
          readMore: z.string().optional(),
        }),
      )
      .optional(),
    morePendingInputs: z.number().optional(),
    toolUseEvents: z
      .array(z.looseObject({ toolName: z.string(), status: z.enum(['running', 'completed', 'denied']) }))
      .optional(),
    moreToolUseEvents: z.number().optional(),
    costUsd: z.number().optional(),
    turnCount: z.number().optional(),
    turn: z.number().optional(),
    text: z.string().optional(),
    offset: z.number().optional(),
    totalChars: z.number().optional(),
    nextOffset: z.number().optional(),
  });
}

export function listOutput(): z.ZodObject {
  return z.looseObject({
    sessions: z.array(
      z.looseObject({
        sessionId: z.string(),
        projectDirectory: z.string(),
        displayText: z.string(),
        timestamp: z.string(),
        isActive: z.boolean(),
        activeStatus: z.enum(statuses).optional(),
        runsIn: z.string().optional(),
      }),
    ),
    message: z.string().optional(),
  });
}
