import * as z from 'zod';

/**
 * Output schemas, for clients that want structured results. Loose, because answers may gain keys, and short, because
 * tools/list carries them. Built on demand, because most servers never publish them.
 */
const count = (): z.ZodNumber => z.number();
const text = (): z.ZodString => z.string();

function snapshotShape() {
  return {
    sessionId: text(),
    status: z.enum(['running', 'waiting', 'idle', 'error', 'cancelled']),
    activity: text().optional(),
    note: text().optional(),
    actions: z
      .array(
        z.looseObject({
          requestId: text(),
          type: z.enum(['permission', 'plan_review', 'user_question']),
          toolName: text(),
          summary: text().optional(),
          readMore: text().optional(),
          accepts: z.array(text()).optional(),
          whoApproves: text().optional(),
          expiresAt: text().optional(),
        }),
      )
      .optional(),
    moreActions: count().optional(),
    result: z
      .looseObject({
        result: text(),
        readMore: text().optional(),
        isError: z.boolean(),
        outcome: z.enum(['completed', 'interrupted', 'failed']),
        turn: count(),
        errorSubtype: text().optional(),
        nextStep: text().optional(),
        changedFiles: z.array(text()).optional(),
        totalCostUsd: count().optional(),
        sessionTotalCostUsd: count().optional(),
      })
      .optional(),
    answered: z.array(z.looseObject({ requestId: text(), decision: text(), answeredBy: text() })).optional(),
    cursor: count(),
    waitLimitMs: count().optional(),
    pollInterval: count().optional(),
    requestLimitMs: count().optional(),
    events: z.array(z.looseObject({ seq: count(), type: text() })).optional(),
    droppedEvents: count().optional(),
    queuedPrompts: count().optional(),
    droppedPrompts: count().optional(),
    resumeToken: text().optional(),
    projectSettings: text().optional(),
    notRestored: z.array(text()).optional(),
    runsIn: text().optional(),
    keptPrompts: z.array(text()).optional(),
    voidRequests: z.array(text()).optional(),
    readMore: text().optional(),
    notSaved: text().optional(),
  };
}

/** Answer with one session. */
export function snapshotOutput(): z.ZodObject {
  return z.looseObject(snapshotShape());
}

/** Answer with one session, several sessions, or a page of a long text. */
export function checkOutput(): z.ZodObject {
  return z.looseObject({
    ...z.object(snapshotShape()).partial().shape,
    cursor: z.union([count(), text()]).optional(),
    sessions: sessionList(),
    turn: count().optional(),
    text: text().optional(),
    offset: count().optional(),
    totalChars: count().optional(),
    nextOffset: count().optional(),
  });
}

/** Answer with one session or a list. */
export function sessionOutput(): z.ZodObject {
  return z.looseObject({
    ...z.object(snapshotShape()).partial().shape,
    sessions: sessionList(),
    title: text().optional(),
    message: text().optional(),
    readMore: text().optional(),
    createdAt: text().optional(),
    lastUsedAt: text().optional(),
    turn: count().optional(),
    totalCostUsd: count().optional(),
    totalTokens: count().optional(),
  });
}

/** Sessions that someone else started have no status. */
function sessionList() {
  return z.array(z.looseObject({ sessionId: text(), status: text().optional() })).optional();
}
