const shapes = {
  inbox: 'M3.5 13h5l1.5 3h4l1.5-3h5M5.4 5h13.2l2.4 8v6H3v-6z',
  sessions: 'M4 6h16M4 12h16M4 18h10',
  plus: 'M12 5v14M5 12h14',
  chart: 'M4 20h16M7 16v-5M12 16V5M17 16v-8',
  device: 'M8 3h8a1 1 0 011 1v16a1 1 0 01-1 1H8a1 1 0 01-1-1V4a1 1 0 011-1zM11 18h2',
  terminal: 'M4 5h16v14H4zM7.5 9.5l3 2.5-3 2.5M12.5 15h4',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M9 13h6M9 17h4',
  plan: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  question: 'M12 21a9 9 0 100-18 9 9 0 000 18zM9.5 9.5a2.5 2.5 0 014.9.7c0 1.8-2.4 2.1-2.4 3.6M12 17h.01',
  tool: 'M14.5 6.5a4 4 0 00-5 5L4 17v3h3l5.5-5.5a4 4 0 005-5L15 12l-3-3z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3 2',
  back: 'M14.5 5.5L8 12l6.5 6.5',
  next: 'M9.5 5.5L16 12l-6.5 6.5',
  down: 'M5.5 9L12 15.5 18.5 9',
  folder: 'M3 6h6l2 2h10v11H3z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  bell: 'M6 16V11a6 6 0 0112 0v5l1.5 2h-15zM10 21h4',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  agent: 'M6 4v8a4 4 0 004 4h8M15 13l3 3-3 3',
  send: 'M4 12l16-8-6 16-3-6z',
  stop: 'M7 7h10v10H7z',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l4.5 4.5',
  dot: 'M12 14a2 2 0 100-4 2 2 0 000 4z',
} as const;

export type IconName = keyof typeof shapes;

/** Decoration only: the words next to an icon carry its meaning. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
