import type { PageError } from '../../src/page/contract.js';
import { Button } from './button.js';

interface FailedProps {
  readonly error: PageError;
  readonly onRetry?: () => void;
}

/** An error, with a button to retry if that makes sense. */
export function Failed({ error, onRetry }: FailedProps) {
  return (
    <div class="note bad failed" role="alert">
      <span>{error.message}</span>
      {onRetry !== undefined && (
        <Button small onPress={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
