import { expect, it } from 'vitest';
import { howToTrust } from '../../../src/console/terminal/how-to-trust.js';

const there = 'run in that folder: claude-code-mcp trust .';

it.runIf(process.platform !== 'win32').each([
  ['/home/ann/app', 'run: claude-code-mcp trust /home/ann/app'],
  ['/srv/$(touch${IFS}x)', "run: claude-code-mcp trust '/srv/$(touch${IFS}x)'"],
  ['/srv/a;reboot', "run: claude-code-mcp trust '/srv/a;reboot'"],
  ['/home/ann/my app', there],
  ['/srv/a\nb', there],
  ['/srv/\u001b[2J', there],
])('says how to trust %j with a command that does nothing else', (folder, words) => {
  expect(howToTrust(folder)).toBe(words);
});
