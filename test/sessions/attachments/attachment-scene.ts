import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../src/core/errors.js';
import type { RequestedOptions } from '../../../src/core/options/index.js';
import type { Session } from '../../../src/session/session.js';
import { plainCaller } from '../../kit/callers.js';
import type { FakeProcess } from '../../kit/fake-backend.js';
import type { ManagerScene } from '../manager-scene.js';

export const plainReply = { forkSession: false, whenBusy: 'reject' } as const;

/** Puts files into the project. */
export function put({ project }: ManagerScene, files: Readonly<Record<string, Buffer | string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), content);
  }
}

export async function startWith(
  { manager, backend }: ManagerScene,
  attachments: readonly string[],
  options: RequestedOptions = {},
): Promise<{ session: Session; process: FakeProcess }> {
  const started = manager.start({ text: 'look', attachments }, options, plainCaller);
  const process = await backend.process(0);
  await process.prompt(0);
  process.init();
  return { session: await started, process };
}

/** The reason for which a start is refused. */
export async function refusal(
  { manager }: ManagerScene,
  path: string,
  options: RequestedOptions = {},
  caller = plainCaller,
): Promise<unknown> {
  const started = manager.start({ text: 'look', attachments: [path] }, options, caller);
  const error: unknown = await started.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? { reason: error.reason, ...(error.params as object) } : error;
}
