import { useEffect } from 'preact/hooks';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icons.js';

const retryMs = 3000;

export function Unreachable({ onRetry }: { readonly onRetry: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onRetry, retryMs);
    globalThis.addEventListener('online', onRetry);
    return () => {
      clearTimeout(timer);
      globalThis.removeEventListener('online', onRetry);
    };
  }, []);
  return (
    <main class="door">
      <div class="empty">
        <Icon name="warning" size={32} />
        <h1>The server cannot be reached</h1>
        <p>Check that it is still running. This page reconnects automatically.</p>
        <Button look="primary" onPress={onRetry}>
          Try again
        </Button>
      </div>
    </main>
  );
}
