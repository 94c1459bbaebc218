import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { configurationPage } from './docs/configuration-page.js';
import { errorsPage } from './docs/errors-page.js';
import { metricsPage } from './docs/metrics-page.js';
import { toolsPage } from './docs/tools-page.js';

// The reference pages are made from the tables the server itself runs on, so they cannot say anything else.
const pages: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationPage,
  'docs/errors.md': errorsPage,
  'docs/metrics.md': metricsPage,
  'docs/tools.md': toolsPage,
};

const isCheck = process.argv.includes('--check');
const stale: string[] = [];

for (const [name, page] of Object.entries(pages)) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const text = await format(page(), {
    ...(await resolveConfig(path, { editorconfig: true })),
    parser: 'markdown',
  });
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) continue;
  stale.push(name);
  if (!isCheck) await writeFile(path, text);
}

if (stale.length > 0)
  console.log(`${isCheck ? 'Out of date, run npm run gen' : 'Written'}: ${stale.join(', ')}`);
else console.log('The reference pages are up to date.');
if (isCheck && stale.length > 0) process.exitCode = 1;
