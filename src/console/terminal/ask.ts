import { createInterface } from 'node:readline/promises';

export interface AskSettings {
  readonly input: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
}

/** The line that a person types. Empty if they end the input. */
export async function ask(question: string, { input, write }: AskSettings): Promise<string> {
  const lines = createInterface({ input });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  write(question);
  try {
    return (await Promise.race([lines.question(''), ended])).trim();
  } finally {
    lines.close();
  }
}

/** Asks a question that only yes answers. */
export async function confirm(question: string, settings: AskSettings): Promise<boolean> {
  return /^y(?:es)?$/i.test(await ask(`${question} [y/N] `, settings));
}
