import type { Client, Machine } from './client.js';

type Exists = (path: string) => boolean;

export function isInstalled(client: Client, machine: Machine, exists: Exists): boolean {
  return client.traces(machine).some(exists);
}

/** The configuration file that the client reads, or would read. */
export function fileOf(client: Client, machine: Machine, exists: Exists): string {
  const files = client.files(machine);
  return files.find(exists) ?? files[0];
}
