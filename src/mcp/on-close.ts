import type { Server } from '@modelcontextprotocol/server';

/** Calls back when the connection ends. The protocol object has a single hook, so each call keeps the earlier ones. */
export function onClose(server: Server, callback: () => void): void {
  const earlier = server.onclose;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the protocol object is not an event target
  server.onclose = () => {
    earlier?.();
    callback();
  };
}
