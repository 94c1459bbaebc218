import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { clientExamples } from './docs/client-examples.js';
import { clientsPage } from './docs/clients-page.js';
import { configurationPage } from './docs/configuration-page.js';
import { errorsPage } from './docs/errors-page.js';
import { metricsPage } from './docs/metrics-page.js';
import { performanceChart } from './docs/performance-chart.js';
import { performancePage } from './docs/performance-page.js';
import { toolPages } from './docs/tools/pages.js';

// The pages are generated from the tables that the server runs on, so they cannot disagree with it.
const pages: Readonly<Record<string, () => string>> = {
  'docs/clients.md': clientsPage,
  'docs/configuration.md': configurationPage,
  'docs/errors.md': errorsPage,
  'docs/metrics.md': metricsPage,
  'docs/performance.md': performancePage,
  'docs/images/performance.svg': performanceChart,
  ...toolPages,
  ...clientExamples,
};

const isCheck = process.argv.includes('--check');
const stale: string[] = [];

for (const [name, page] of Object.entries(pages)) {
  const path = pathOf(name);
  const text = name.endsWith('.md') ? await formatted(page(), path) : page();
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) continue;
  stale.push(name);
  if (isCheck) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

// A renamed toolset or client would otherwise leave its old page behind.
const present = await Promise.all(['docs/tools', 'examples/clients'].map(filesIn));
const unknown = present.flat().filter((name) => !Object.hasOwn(pages, name));

if (stale.length > 0)
  console.log(`${isCheck ? 'Out of date, run npm run gen' : 'Written'}: ${stale.join(', ')}`);
else console.log('The reference pages are up to date.');
if (unknown.length > 0) console.log(`Not generated, delete: ${unknown.join(', ')}`);
if (unknown.length > 0 || (isCheck && stale.length > 0)) process.exitCode = 1;

async function formatted(text: string, path: string): Promise<string> {
  return format(text, { ...(await resolveConfig(path, { editorconfig: true })), parser: 'markdown' });
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(pathOf(folder)).catch(() => []);
  return names.map((name) => `${folder}/${name}`);
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
