import type { Page } from 'playwright-core';

/** A screen of the page with the samples of the scene. */
export interface Screen {
  readonly name: string;
  readonly hash: string;
  /** Visible once the screen is complete. */
  readonly text: string;
  readonly isSignedOut?: boolean;
  readonly act?: (page: Page) => Promise<void>;
}

export const screens: readonly Screen[] = [
  { name: 'inbox', hash: '#inbox', text: 'Run npm test' },
  { name: 'request-command', hash: '#request=r-command', text: 'Allow once' },
  { name: 'request-edit', hash: '#request=r-edit', text: 'priceInCents' },
  { name: 'request-plan', hash: '#request=r-plan', text: 'Sessions live in memory today' },
  { name: 'request-question', hash: '#request=r-question', text: 'Which store' },
  { name: 'request-input', hash: '#request=r-mcp', text: 'DELETE FROM carts' },
  { name: 'request-missing', hash: '#request=r-none', text: 'no longer open' },
  {
    name: 'request-deny',
    hash: '#request=r-command',
    text: 'Message to Claude',
    act: (page) => page.getByRole('button', { name: 'Deny with a message' }).click(),
  },
  {
    name: 'request-editing',
    hash: '#request=r-command',
    text: 'Not changed yet',
    act: (page) => page.getByRole('button', { name: 'Edit the command' }).click(),
  },
  { name: 'sessions', hash: '#sessions', text: 'Explain the deploy script' },
  {
    name: 'session',
    hash: '#session=s-shop',
    text: 'expected 0.30000000000000004',
    act: async (page) => {
      const call = page.getByRole('button', { name: 'npm test -- checkout' });
      await call.click();
      await call.scrollIntoViewIfNeeded();
    },
  },
  { name: 'session-request', hash: '#session=s-shop', text: 'Steer' },
  { name: 'session-changes', hash: '#session=s-shop&changes', text: '3 files changed' },
  { name: 'new', hash: '#new', text: 'Start the session' },
  { name: 'usage', hash: '#usage', text: 'By model' },
  { name: 'devices', hash: '#devices', text: 'Safari on iPhone' },
  {
    name: 'shortcuts',
    hash: '#inbox',
    text: 'This help',
    act: async (page) => {
      await page.getByText('Run npm test').first().waitFor();
      await page.keyboard.press('?');
    },
  },
  { name: 'sign-in', hash: '', text: 'Sign in to watch your sessions', isSignedOut: true },
  { name: 'pairing-failed', hash: '#pair=used', text: 'Sign-in failed', isSignedOut: true },
];
