/**
 * What each folder of src may import besides itself: `core` is that folder alone, `core/**` is that folder and all
 * below it. A folder below inherits the row of the room it lies in. Only `app` and `bin` may import everything.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  core: ['core/text'],
  'core/options': [],
  'core/session': ['core', 'core/options'],
  'core/claude': ['core', 'core/options', 'core/session'],
  'core/observability': ['core', 'core/session'],
  'core/text': [],

  files: ['core/**'],
  platform: ['core/**', 'files'],
  config: ['core/**', 'files'],
  policy: ['core/**'],
  inputs: ['core/**'],
  events: ['core/**'],
  state: ['core/**', 'files'],
  history: ['core/**', 'files'],

  observability: ['core/**', 'files'],
  'observability/audit': [],
  'observability/metrics': [],
  'observability/redact': [],

  backends: ['core/**', 'files'],
  'backends/agent-sdk': ['backends/shared'],
  'backends/cli': ['backends/shared', 'backends/cli/permission'],
  'backends/cli/permission': ['backends/shared'],
  'backends/shared': [],

  session: [
    'core/**',
    'files',
    'policy',
    'inputs',
    'events',
    'history',
    'state',
    'session/turn',
    'session/process',
    'session/approval',
    'session/report',
    'session/budget',
  ],
  'session/turn': ['session/process', 'session/approval', 'session/report', 'session/budget'],
  'session/process': ['session/report'],
  'session/approval': ['session/report'],
  'session/report': ['session/budget'],
  'session/budget': [],

  sessions: [
    'core/**',
    'files',
    'policy',
    'inputs',
    'events',
    'history',
    'state',
    'session/**',
    'sessions/options',
  ],
  'sessions/options': [],

  toolsets: ['core/**', 'inputs', 'events', 'session', 'sessions'],
  'toolsets/async': ['toolsets/shared', 'toolsets/async/session', 'toolsets/async/snapshot'],
  'toolsets/async/session': ['toolsets/shared', 'toolsets/async/snapshot'],
  'toolsets/async/snapshot': ['toolsets/shared'],
  'toolsets/sessions': ['toolsets/shared'],
  'toolsets/query': ['toolsets/shared'],
  'toolsets/configure': ['toolsets/shared'],
  'toolsets/reference': ['toolsets/async'],
  'toolsets/shared': [],

  mcp: ['core/**', 'toolsets/shared', 'toolsets/reference'],
  transports: ['core/**'],
  commands: ['core/**', 'files', 'config', 'observability/**'],
  app: ['**'],
  bin: ['**'],
};

/** Packages and built-in modules with a home: nothing outside it may import them. */
export const homes: readonly (readonly [pattern: RegExp, rooms: readonly string[]])[] = [
  [/^@anthropic-ai\//, ['backends/agent-sdk']],
  [/^@modelcontextprotocol\//, ['mcp', 'transports']],
  [/^(node:)?child_process$/, ['backends', 'platform']],
  [
    /^(node:)?fs(\/promises)?$/,
    [
      'files',
      'state',
      'history',
      'session',
      'sessions',
      'platform',
      'backends',
      'config',
      'observability',
      'commands',
      'app',
    ],
  ],
  [/^(node:)?https?$/, ['backends', 'observability']],
  [/^prom-client$/, ['observability/metrics']],
  [/^node:process$/, ['mcp']],
];
