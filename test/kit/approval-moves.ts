/** What the tests about who may approve have in common. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionJson } from './answer-json.js';
import type { InProcessScene } from './in-process.js';
import { text, tool, type ScriptStep } from './model-steps.js';
import { until } from './until.js';

export const human = { CLAUDE_CODE_MCP_APPROVALS: 'human' } as const;
export const any = { CLAUDE_CODE_MCP_APPROVALS: 'any' } as const;

/** On either rung. */
type AnyScene = Pick<InProcessScene, 'server' | 'model' | 'sandbox'>;

export interface Asked {
  readonly sessionId: string;
  readonly requestId: string;
  readonly action: ActionJson | undefined;
}

export const touch = { command: 'touch a.txt' } as const;

/** The model of every session wants to do this one thing. */
export function wants({ model }: AnyScene, ...steps: ScriptStep[]): void {
  model.when('do it', [...steps, text('over')]);
}

export async function start(
  { server, sandbox }: AnyScene,
  options: Record<string, unknown> = {},
): ReturnType<AnyScene['server']['call']> {
  return server.call('claude_code', { prompt: 'do it', cwd: sandbox.project, waitMs: 20_000, ...options });
}

/** A session whose request the caller has been told of. */
export async function ask(
  scene: AnyScene,
  step: ScriptStep = tool('Bash', touch),
  options: Record<string, unknown> = {},
): Promise<Asked> {
  wants(scene, step);
  const { json } = await start(scene, options);
  const action = json.actions?.[0];
  return { sessionId: json.sessionId, requestId: action?.requestId ?? '', action };
}

/** The model finds the path of its plan file in the reminder that plan mode gives it. */
export function writePlan(content: string): ScriptStep {
  return (request) => {
    const [path = ''] = /\/[^\s"\\`]*\.claude\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.body)) ?? [];
    return tool('Write', { file_path: path, content });
  };
}

/** A session in plan mode whose plan the caller has been told of; afterwards the model wants to do `next`. */
export async function review(
  scene: AnyScene,
  next: ScriptStep = tool('Bash', touch),
  options: Record<string, unknown> = {},
): Promise<Asked> {
  wants(scene, writePlan('# Plan\nTouch a file.'), tool('ExitPlanMode', {}), next);
  const { json } = await start(scene, { permissionMode: 'plan', ...options });
  const action = json.actions?.[0];
  return { sessionId: json.sessionId, requestId: action?.requestId ?? '', action };
}

export function exists({ sandbox }: AnyScene, name: string): boolean {
  return existsSync(join(sandbox.project, name));
}

export function writeUserSettings({ sandbox }: AnyScene, settings: unknown): void {
  writeFileSync(join(sandbox.configDir, 'settings.json'), JSON.stringify(settings));
}

/** Settings of a repository that the person has trusted. */
export function writeTrustedSettings({ sandbox }: AnyScene, settings: unknown): void {
  sandbox.trustFolder(sandbox.project);
  mkdirSync(join(sandbox.project, '.claude'));
  writeFileSync(join(sandbox.project, '.claude', 'settings.json'), JSON.stringify(settings));
}

const hookMark = 'hook-ran.txt';

/** Hooks run side by side with the gate: whoever answers before the hook has, gets what was shown, unchanged. */
export function untilHookRan(scene: AnyScene): Promise<boolean> {
  return until('the hook has run', () => exists(scene, hookMark));
}

/** A hook that gives this answer to every question. Its mark appears once Claude Code knows that it has ended. */
export function hookSettings(event: string, answer: Record<string, unknown>): unknown {
  const output = { hookSpecificOutput: { hookEventName: event, ...answer } };
  // `kill -0` fails only after the parent of a process has learned of its end.
  const mark = `(while kill -0 $$ 2>/dev/null; do sleep 0.01; done; touch ${hookMark}) >/dev/null 2>&1 &`;
  const hook = { type: 'command', command: `echo '${JSON.stringify(output)}'; ${mark}` };
  return { hooks: { [event]: [{ matcher: '*', hooks: [hook] }] } };
}
