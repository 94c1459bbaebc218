import { AppError } from '../../src/core/errors.js';

/** The refusal that an act ends with. */
export function refusalOf(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
