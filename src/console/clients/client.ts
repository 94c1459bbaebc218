export type System = 'linux' | 'darwin' | 'win32';

/** What the places of configuration files depend on. */
export interface Machine {
  readonly system: System;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How a client starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The value of our entry in a configuration file. */
export type Entry = Readonly<Record<string, string | boolean | readonly string[]>>;

/** `json` allows no comments. Programs that read `jsonc` also accept trailing commas. */
export type Format = 'json' | 'jsonc' | 'toml';

export interface Client {
  readonly title: string;
  readonly format: Format;
  /** Where its configuration may be. */
  files(machine: Machine): readonly [string, ...string[]];
  /** Files and folders that exist only if it has been installed. */
  traces(machine: Machine): readonly string[];
  /** Keys that lead to the servers, the preferred first. The others count if the file already has them. */
  readonly keys: readonly (readonly string[])[];
  entry(launch: Launch): Entry;
  /** What a person does so that the client reads the file again. */
  readonly afterwards: string;
}

/** The name of our entry. Clients prefix the names of our tools with it. */
export const entryName = 'claude-code';
