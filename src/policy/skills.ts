import { AppError } from '../core/errors.js';
import type { RequestedOptions } from '../core/options/index.js';

/**
 * The rules that naming skills amounts to. The Agent SDK pre-approves the skills it is given, and a skill can
 * pre-approve further tools.
 */
export function skillRules(skills: RequestedOptions['skills']): string[] {
  if (skills === undefined) return [];
  return skills === 'all' ? ['Skill'] : skills.map((name) => `Skill(${name})`);
}

/** The skills that agents preload, by the option that names them. */
export function preloadedSkills(
  agents: RequestedOptions['agents'],
): { readonly option: string; readonly rules: readonly string[] }[] {
  return Object.entries(agents ?? {})
    .map(([name, { skills }]) => ({ option: `agents.${name}.skills`, rules: skillRules(skills) }))
    .filter(({ rules }) => rules.length > 0);
}

/** Claude Code runs the shell lines of a preloaded skill before any gate sees them. */
export function refusePreloadedSkills(agents: RequestedOptions['agents']): void {
  const [first] = preloadedSkills(agents);
  if (first !== undefined) throw new AppError('agent_skills_skip_approval', { option: first.option });
}
