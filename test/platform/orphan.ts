// Run as a child: prints what it logs about its parent, and exits when that has gone.
import { watchParent } from '../../src/platform/parent-watch.js';

const print = (...words: unknown[]): void => void process.stdout.write(`${words.join(' ')}\n`);
watchParent(() => process.exit(0), { log: (level, message) => print(level, message) }, 10);
// The timer of the watch must not keep the process alive, so something else has to.
setTimeout(() => print('too late'), 10_000);
