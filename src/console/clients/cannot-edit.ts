/** A file that can be read but not changed without risk to the rest of it. */
export class CannotEditError extends Error {
  override readonly name = 'CannotEditError';
}
