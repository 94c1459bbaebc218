import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const anHourMs = 3_600_000;

/** A task that a repository brings along and that is overdue: Claude Code runs it as soon as it starts. */
export function plantScheduledTask(folder: string, prompt: string): void {
  mkdirSync(join(folder, '.claude'), { recursive: true });
  const task = {
    id: 'aaaa1111',
    cron: '* * * * *',
    prompt,
    createdAt: Date.now() - anHourMs,
    recurring: true,
    permanent: true,
  };
  writeFileSync(join(folder, '.claude', 'scheduled_tasks.json'), JSON.stringify({ tasks: [task] }));
}
