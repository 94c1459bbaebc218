import { sessionOptions, type EffectiveOptions, type OptionName } from '../../core/options/index.js';

/** Options that only restrict a session or name it: to write them into a record gains nothing. */
const kept: ReadonlySet<OptionName> = new Set<OptionName>([
  'cwd',
  'persistSession',
  'title',
  'model',
  'effort',
  'tools',
  'disallowedTools',
  'maxTurns',
  'maxBudgetUsd',
  'timeoutMs',
  'permissionRequestTimeoutMs',
  'sessionInitTimeoutMs',
]);

interface Unverified {
  readonly options: EffectiveOptions;
  /** What its caller has to pass again. */
  readonly dropped: readonly OptionName[];
}

/**
 * The narrowest reading of options that a session may have written into its own record. A missing restriction cannot be
 * seen, so it continues in plan mode, in which it cannot change anything.
 */
export function unverifiedOptions(options: EffectiveOptions): Unverified {
  const { projectSettings, skippedFiles, notes, sandbox } = options;
  const requested = Object.keys(options).filter(isOption);
  const rest = Object.fromEntries(requested.filter((key) => kept.has(key)).map((key) => [key, options[key]]));
  return {
    options: {
      ...(rest as Pick<EffectiveOptions, 'cwd' | 'persistSession'>),
      permissionMode: 'plan',
      settingSources: ['user'],
      permissionRequestTimeoutMs: options.permissionRequestTimeoutMs,
      sessionInitTimeoutMs: options.sessionInitTimeoutMs,
      projectSettings,
      skippedFiles,
      notes,
      ...(sandbox === undefined ? {} : { sandbox: { enabled: true } }),
    },
    dropped: requested.filter((key) => !kept.has(key)),
  };
}

function isOption(key: string): key is OptionName {
  return Object.hasOwn(sessionOptions, key);
}
