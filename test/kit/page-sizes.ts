/** What a browser downloads, compressed, in bytes. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export interface PageSizes {
  /** The page with its libraries and styles. */
  readonly page: number;
  /** The view inside a client with MCP Apps: one document. */
  readonly view: number;
}

export const maxPageSizes: PageSizes = { page: 120_000, view: 60_000 };

export function pageSizes(): PageSizes {
  return { page: sizeOf('index.html', 'page.js', 'style.css', 'icon.svg'), view: sizeOf('view.html') };
}

function sizeOf(...names: readonly string[]): number {
  const files = names.map((name) =>
    readFileSync(fileURLToPath(new URL(`../../dist/page/${name}`, import.meta.url))),
  );
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0);
}
