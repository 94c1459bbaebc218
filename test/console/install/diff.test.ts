import { expect, it } from 'vitest';
import { diffText } from '../../../src/console/install/diff.js';

const plain = (_color: string, text: string): string => text;

it('hides the values of lines around a change that may be secret', () => {
  const before = '{\n  "env": { "API_KEY": "sk-1", "name": "x" },\n  "name": "shown",\n  token = \'t\'\n}\n';

  expect(diffText(before, `${before}# new\n`, plain)).toBe('  @@ line 4\n     token = "…"\n   }\n  +# new\n');
  expect(diffText(before, `# new\n${before}`, plain)).toBe(
    '  @@ line 1\n  +# new\n   {\n     "env": { "API_KEY": "…", "name": "…" },\n',
  );
});

it('shows control characters, and only the ends of a long line', () => {
  const text = diffText('', `\u001B[2J${'x'.repeat(300)}\r\n`, plain);

  expect(text).toMatch(/^ {2}@@ line 1\n {2}\+\\u\{1b\}\[2Jx+ …\[\d+ characters hidden\]… x+\n$/);
});
