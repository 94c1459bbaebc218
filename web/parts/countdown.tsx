import { clock, useNow } from '../texts/time.js';

interface CountdownProps {
  readonly askedAt: number;
  readonly expiresAt: number | undefined;
  /** Server time minus local time. */
  readonly skew: number;
}

const urgentMs = 60_000;
const circumference = 2 * Math.PI * 7;

/** The time that is left to answer, as a ring and in words. */
export function Countdown({ askedAt, expiresAt, skew }: CountdownProps) {
  const now = useNow() + skew;
  if (expiresAt === undefined) return <span class="countdown calm">No deadline</span>;
  // Two clocks differ by some milliseconds.
  const left = Math.min(expiresAt - now, expiresAt - askedAt);
  if (left <= 0) return <span class="countdown urgent">Deadline passed</span>;
  const part = Math.min(1, left / Math.max(1, expiresAt - askedAt));
  return (
    <span class={`countdown ${left < urgentMs ? 'urgent' : 'calm'}`} role="timer">
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <circle cx="9" cy="9" r="7" class="track" />
        <circle
          cx="9"
          cy="9"
          r="7"
          class="rest"
          transform="rotate(-90 9 9)"
          stroke-dasharray={`${circumference * part} ${circumference}`}
        />
      </svg>
      {clock(left)} left
    </span>
  );
}
