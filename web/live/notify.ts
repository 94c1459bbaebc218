import type { Card } from '../../src/page/contract.js';

export type Permission = 'granted' | 'denied' | 'default' | 'unsupported';

export function notificationPermission(): Permission {
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

/** Call it only on a click: browsers reject pages that ask without one. */
export async function askForNotifications(): Promise<Permission> {
  if (!('Notification' in globalThis)) return 'unsupported';
  return Notification.requestPermission();
}

/** Names the session and the tool. The input stays on the page, because a locked screen shows notifications. */
export function notify(card: Card, open: () => void): void {
  if (notificationPermission() !== 'granted') return;
  try {
    const note = new Notification(`${card.sessionTitle} needs an answer`, {
      body: `${card.toolName} in ${card.folder}`,
      tag: card.requestId,
      icon: '/assets/icon.svg',
    });
    note.addEventListener('click', () => {
      globalThis.focus();
      open();
      note.close();
    });
  } catch {
    // Android allows notifications from service workers only. The title still counts.
  }
}

export function showBadge(count: number): void {
  document.title = count === 0 ? 'Claude Code sessions' : `(${count}) Claude Code sessions`;
}
