/** The session layer and its tools in this process, without a transport, driving the faulty CLI. */
import { noAudit } from '../kit/audits.js';
import { noPage } from '../../src/core/forms.js';
import { toolContext } from '../kit/callers.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { noMeter } from '../../src/core/observability/measurements.js';
import { composeSessions } from '../../src/app/compose-sessions.js';
import { loadSettings } from '../../src/config/load.js';
import { systemClock } from '../../src/core/clock.js';
import { ToolCensus } from '../../src/core/claude/tool-census.js';
import { createLogger } from '../../src/observability/logger.js';
import { createRedactor } from '../../src/observability/redact/redact.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import type { AnswerJson } from '../kit/answer-json.js';
import { answerText } from '../kit/view-text.js';

const WAIT_MS = 120_000;

export interface InProcess {
  call(name: string, args: Record<string, unknown>): Promise<AnswerJson>;
  /** The answer as unparsed text, so that only the server's own work is measured. */
  callText(name: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function composeInProcess(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<InProcess> {
  const { settings } = loadSettings({}, environment);
  const redactor = createRedactor(environment);
  const logger = createLogger('warn', {
    write: (line) => process.stderr.write(line),
    isTerminal: false,
    now: Date.now,
    redactor,
  });
  const { manager } = await composeSessions(
    {
      settings,
      executable: settings.claudePath,
      pageFolder: '/nonexistent',
      watchdog: fileURLToPath(new URL('../../dist/watchdog.js', import.meta.url)),
      userProbe: '/nowhere',
      version: '0.0.0',
      audit: undefined,
      logger,
      redactor,
      environment,
      home: environment['HOME'] ?? '/nonexistent',
      cwd: process.cwd(),
      depth: 0,
    },
    {
      clock: systemClock,
      ids: { uuid: () => randomUUID(), short: () => randomBytes(6).toString('base64url') },
      approvers: new Set(),
      page: noPage,
      audit: noAudit,
      census: new ToolCensus(),
      meter: noMeter,
      onEvent: () => undefined,
    },
  );
  const deps = { sessions: manager, maxWaitMs: WAIT_MS };
  const context = toolContext();
  const callText: InProcess['callText'] = async (name, args) => {
    const tool = asyncTools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`unknown tool: ${name}`);
    return answerText(await tool.parse(args)({ ...deps, words: tool.vocabulary }, context));
  };
  return {
    callText,
    call: async (name, args) => JSON.parse(await callText(name, args)) as AnswerJson,
    close: () => manager.shutdown(),
  };
}

/** Waits for the turn of a start or reply, and checks that it succeeded. */
export async function runTurn(
  sessions: InProcess,
  name: 'claude_code' | 'claude_code_reply',
  args: Record<string, unknown>,
): Promise<AnswerJson> {
  const answer = await sessions.call(name, { ...args, waitMs: WAIT_MS });
  if (answer.result?.isError !== false) throw new Error(`the turn failed: ${JSON.stringify(answer)}`);
  return answer;
}
