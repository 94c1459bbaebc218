import type { Launch } from '../../core/claude/backend.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { isSingleRule } from '../../core/options/tools.js';

/** Claude Code gets all of them in one argument. Linux limits it to 128 KiB, Windows the whole command line to 32 KiB. */
const maxBytesOn = (platform: NodeJS.Platform): number => (platform === 'win32' ? 12_000 : 120_000);

/**
 * The rules by which calls run without approval. Those of a project are among them, because Claude Code ignores them
 * where only the operator trusts the folder. As a part of settings they would also open the sandbox, which Claude Code
 * lets no project do. If a session has too many, it gets the newest: Claude Code then asks about the other calls.
 */
export function allowedRules(
  { options, grantedRules }: Pick<Launch, 'options' | 'grantedRules'>,
  platform = process.platform,
): string[] {
  const { allowedTools = [], permissionRules } = options;
  let left = maxBytesOn(platform) - sizeOf([...allowedTools, ...skillRules(options)]);
  const fits = (rule: string): boolean => {
    const size = sizeOf([rule]);
    if (size > left) return false;
    left -= size;
    return true;
  };
  const granted = grantedRules.toReversed().filter(fits).toReversed();
  // Claude Code splits a text with several rules. It then asks.
  const ofProject = (permissionRules?.allow ?? []).filter(isSingleRule).filter(fits);
  return [...new Set([...allowedTools, ...granted, ...ofProject])];
}

/** A skill that was chosen may be used without approval. The Agent SDK adds these rules itself. */
export function skillRules({ skills = [] }: Pick<EffectiveOptions, 'skills'>): readonly string[] {
  if (skills === 'all') return ['Skill'];
  // A name with brackets could contain another rule. Claude Code then asks.
  return skills.map((name) => `Skill(${name})`).filter(isSingleRule);
}

function sizeOf(rules: readonly string[]): number {
  return rules.reduce((bytes, rule) => bytes + Buffer.byteLength(rule) + 1, 0);
}
