import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ConfigError } from '../config/config-error.js';

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly write: (text: string) => void;
}

/** On a terminal, asks twice without an echo. Otherwise reads the first line of the input. */
export async function readPassword({ input, write }: Terminal): Promise<string> {
  const isTerminal = input.isTTY;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: isTerminal });
  // Otherwise Ctrl-C would be swallowed.
  lines.once('SIGINT', () => lines.close());
  try {
    if (!isTerminal) return (await lines[Symbol.asyncIterator]().next()).value ?? '';
    const ask = async (prompt: string): Promise<string> => {
      write(prompt);
      const typed = await Promise.race([lines.question(''), closed(lines)]);
      write('\n');
      return typed;
    };
    const password = await ask('New password: ');
    if ((await ask('Repeat it: ')) !== password)
      throw new ConfigError('the two passwords differ. Nothing was changed.');
    return password;
  } finally {
    lines.close();
  }
}

function closed(lines: NodeJS.EventEmitter): Promise<never> {
  return new Promise((_resolve, reject) =>
    lines.once('close', () => reject(new ConfigError('no password was typed. Nothing was changed.'))),
  );
}
