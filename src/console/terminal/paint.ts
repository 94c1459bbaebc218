import { styleText } from 'node:util';

export type Color = 'green' | 'yellow' | 'red' | 'cyan' | 'dim' | 'bold';

/** Colors a text, if the terminal shows colors. */
export type Paint = (color: Color, text: string) => string;

interface Place {
  readonly isTTY?: boolean;
}

export function paintFor(stream: Place, environment: Readonly<Record<string, string | undefined>>): Paint {
  const isColored = stream.isTTY === true && (environment['NO_COLOR'] ?? '') === '';
  return (color, text) => (isColored ? styleText(color, text) : text);
}
