import type { Card } from '../../src/page/contract.js';
import { FakeDoor } from './fake-door.js';
import { commandCard, editCard, mcpCard, planCard, questionCard } from './samples.js';
import { changedFiles, details, devices, rows, shopEvents, toolCall, usage } from './session-samples.js';

export function sceneCards(): Card[] {
  return [commandCard(), editCard(), planCard(), questionCard(), mcpCard()];
}

/** A door with five requests and six sessions. */
export async function startScene(): Promise<FakeDoor> {
  const door = await FakeDoor.start();
  door.cards = sceneCards();
  door.rows = rows();
  door.events.set('s-shop', shopEvents());
  Object.assign(door.handlers, {
    session: ({ sessionId }: { sessionId: string }) => {
      const row = door.rows.find((one) => one.sessionId === sessionId);
      if (row === undefined) return { reason: 'not_found', message: 'This session does not exist.' };
      return details(row, door.events.get(sessionId)?.at(-1)?.seq ?? 0);
    },
    toolCall: () => toolCall,
    changes: () => ({ files: changedFiles }),
    devices: () => ({ devices: devices() }),
    usage,
    folders: () => ({ folders: ['/home/alice/shop', '/home/alice/docs'] }),
    start: () => ({ sessionId: 's-docs' }),
  });
  return door;
}
