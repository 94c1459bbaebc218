/** Runs a measurement in its own process, where nothing else uses CPU or memory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** `program` sends one message with its findings and exits. */
export async function measureInChild<T>(
  program: URL,
  {
    args = [],
    env,
    execArgv = [...process.execArgv, '--expose-gc'],
  }: {
    readonly args?: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly execArgv?: readonly string[];
  },
): Promise<T> {
  // Inherits the loader that runs TypeScript.
  const child = fork(program, args, { env, execArgv: [...execArgv] });
  const exited = once(child, 'exit');
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [unknown];
  await exited;
  if (typeof message !== 'object' || message === null) throw new Error(`${program.pathname} failed`);
  return message as T;
}

/** The child's side of `measureInChild`. */
export function report(found: object): void {
  process.send?.(found, () => process.exit(0));
}
