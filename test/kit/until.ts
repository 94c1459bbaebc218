import { setTimeout as pause } from 'node:timers/promises';

/** Polls for conditions that emit no event, such as the exit of a process. Fails after ten seconds. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`It did not happen within 10 s: ${what}`);
    await pause(10);
  }
}
