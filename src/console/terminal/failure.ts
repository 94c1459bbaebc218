/** A command could not do what it was asked to. Its message says why and what to do next; the exit code is 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
