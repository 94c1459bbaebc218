/** Permission rules in Claude Code's notation, such as `Bash(npm test)`. */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** The name in a rule: `Bash(npm test)` -> `Bash`. */
export function toolOfRule(rule: string): string {
  const [name = ''] = rule.split('(', 1);
  return name;
}

/** The union of several sets of rules, each rule once. */
export function joinRules(sets: readonly PermissionRules[]): PermissionRules {
  const all = (kind: keyof PermissionRules): string[] => [...new Set(sets.flatMap((rules) => rules[kind]))];
  return { allow: all('allow'), ask: all('ask'), deny: all('deny') };
}
