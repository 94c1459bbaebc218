import { parse as parseJsonc, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { isObject, type JsonObject } from '../../core/json.js';
import type { Format } from './client.js';

/** A text that its client cannot read either. */
export class BrokenFileError extends Error {
  override readonly name = 'BrokenFileError';
}

/** The content of a configuration file. Throws a BrokenFileError. */
export function parseConfig(format: Format, text: string): JsonObject {
  if (text.trim() === '') return {};
  const value = parsed(format, text);
  if (isObject(value)) return value;
  throw new BrokenFileError('The file must contain an object.');
}

function parsed(format: Format, text: string): unknown {
  try {
    return format === 'toml' ? tomlValue(text) : jsonValue(format, text);
  } catch (error) {
    // The parsers call themselves for each level.
    if (error instanceof RangeError) throw new BrokenFileError('The file is nested too deeply.');
    throw error;
  }
}

function jsonValue(format: 'json' | 'jsonc', text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, {
    allowTrailingComma: format === 'jsonc',
    disallowComments: format === 'json',
  });
  const [first] = errors;
  if (first === undefined) return value;
  throw new BrokenFileError(
    `${wordsOf(printParseErrorCode(first.error))} in ${placeOf(text, first.offset)}.`,
  );
}

function tomlValue(text: string): unknown {
  try {
    return getStaticTOMLValue(parseTOML(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { lineNumber } = error as SyntaxError & { lineNumber?: number };
    throw new BrokenFileError(`${error.message} in line ${lineNumber ?? 1}.`);
  }
}

/** `CommaExpected`: "Comma expected". */
function wordsOf(code: string): string {
  const words = code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words === 'Invalid comment token' ? 'Comments are not allowed' : words;
}

function placeOf(text: string, offset: number): string {
  return `line ${text.slice(0, offset).split('\n').length}`;
}
