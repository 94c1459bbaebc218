import type * as z from 'zod';
import { AppError } from '../core/errors.js';

/** Turns the issues of Zod into one sentence that says what to change. */
export function toArgumentError(error: z.ZodError, schema: z.ZodObject): AppError {
  const problems = error.issues.slice(0, 5).map((issue) => explain(issue, schema));
  return new AppError('arguments_invalid', { problems });
}

function explain(issue: z.core.$ZodIssue, schema: z.ZodObject): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => JSON.stringify(key.slice(0, 60))).join(', ');
    const known = Object.keys(shapeAt(schema, issue.path)).join(', ');
    return `unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${keys}${path === '' ? '' : ` in ${path}`}; known: ${known}`;
  }
  return `${path === '' ? 'arguments' : path}: ${issue.message}${receivedType(issue)}`;
}

/** Zod names the received type only in `invalid_type` issues. */
function receivedType({ code, input }: z.core.$ZodIssue): string {
  if (code === 'invalid_type' || input === undefined) return '';
  const type = input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input;
  return ` (received ${type})`;
}

function shapeAt(schema: z.ZodObject, path: readonly PropertyKey[]): Record<string, unknown> {
  let shape: Record<string, unknown> = schema.shape;
  for (const key of path) {
    let field = shape[String(key)];
    while (hasUnwrap(field)) field = field.unwrap();
    shape = hasShape(field) ? field.shape : {};
  }
  return shape;
}

function hasUnwrap(field: unknown): field is { unwrap(): unknown } {
  return (
    typeof field === 'object' && field !== null && 'unwrap' in field && typeof field.unwrap === 'function'
  );
}

function hasShape(field: unknown): field is { shape: Record<string, unknown> } {
  return typeof field === 'object' && field !== null && 'shape' in field;
}
