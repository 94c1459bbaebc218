import { AppError } from '../../src/core/errors.js';

/** Returns the refusal that `act` throws. */
export function refusalOf(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
