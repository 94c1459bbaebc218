import type { Settings } from '../config/settings.js';
import type { ClaudeHome } from '../history/claude-home.js';
import type { SparePool } from '../session/services/spare-pool.js';
import type { SpareSettings } from '../session/spares/spares.js';

type Parts = Pick<SpareSettings, 'backend' | 'slots' | 'permits' | 'clock' | 'ids' | 'logger'> & {
  readonly claudeHome: ClaudeHome;
};

/** Processes that wait for new sessions. Undefined if the operator wants none. */
export async function composeSpares(
  { spare: count, idleProcessMs: idleMs }: Settings,
  { claudeHome, ...parts }: Parts,
): Promise<SparePool | undefined> {
  if (count === 0) return undefined;
  const [{ Spares }, { configurationMark }] = await Promise.all([
    import('../session/spares/spares.js'),
    import('../history/settings/configuration-mark.js'),
  ]);
  return new Spares({ ...parts, count, idleMs, readMark: () => configurationMark(claudeHome) });
}
