import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageFileNames, type PageFiles } from '../../http/page/assets.js';

export async function readPageFiles(folder: string): Promise<PageFiles> {
  const read = async (name: string) => [name, await readFile(join(folder, name))] as const;
  return Object.fromEntries(await Promise.all(pageFileNames.map(read))) as unknown as PageFiles;
}
