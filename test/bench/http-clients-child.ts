/** Connects its share of the clients, waits for the sessions, and reports how they were followed. */
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Share, ShareFindings } from './http-clients.js';
import { Poller } from './http-poller.js';

const { service, clients, everyMs } = JSON.parse(process.argv[2] ?? '') as Share;
const pollers = Array.from(
  { length: clients },
  (_, index) => new Poller(service, index % 2 === 0 ? 'modern' : 'legacy'),
);
for (const poller of pollers) await poller.connect();
const begun = once(process, 'message');
process.send?.('connected');
const [{ sessionIds }] = (await begun) as [{ readonly sessionIds: readonly string[] }];
const timers = monitorEventLoopDelay({ resolution: 1 });
timers.enable();
const followed = await Promise.all(
  pollers.map((poller, index) => poller.follow(sessionIds[index % sessionIds.length] ?? '', everyMs)),
);
timers.disable();
await Promise.all(pollers.map((poller) => poller.close()));
const found: ShareFindings = { followed, lateMs: timers.percentile(99) / 1_000_000 };
process.send?.(found, () => process.exit(0));
