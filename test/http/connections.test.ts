import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Connections } from '../../src/http/connections.js';

/** A connection from this port of another program. */
function from(remotePort: number): Socket {
  const place = { remoteAddress: '127.0.0.1', remotePort, localAddress: '127.0.0.1' };
  return Object.defineProperties(
    new Socket(),
    Object.fromEntries(Object.entries(place).map(([key, value]) => [key, { value }])),
  );
}

describe('a connection from the port of one that was reset', () => {
  it('still counts when the end of the earlier one is noticed after its beginning', () => {
    const refused: string[] = [];
    const connections = new Connections(2, () => refused.push('full'));
    const [earlier, later] = [from(1), from(1)];
    connections.add(earlier);
    connections.add(later);

    earlier.emit('close');
    const others = [from(2), from(3)];
    for (const socket of others) connections.add(socket);

    expect([later, ...others].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    expect(refused).toEqual([]);
  });

  it('is closed with all others', () => {
    const connections = new Connections(2, () => undefined);
    const [earlier, later] = [from(1), from(1)];
    connections.add(earlier);
    connections.add(later);
    earlier.emit('close');

    connections.closeAll();

    expect(later.destroyed).toBe(true);
  });
});
