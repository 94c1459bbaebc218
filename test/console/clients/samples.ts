import type { Client } from '../../../src/console/clients/client.js';

/** Files of a client as people write them. */
export function samples(client: Client): readonly (readonly [name: string, text: string])[] {
  const rows = client.format === 'toml' ? toml : json(client);
  const [, first = ''] = rows.at(-1) ?? [];
  return [
    ['an empty file', ''],
    ['an empty line', '\n'],
    ...rows,
    ['lines that end as on Windows', first.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${first}`],
    ['no line end', first.trimEnd()],
  ];
}

function json({ keys: [keys = []], format }: Client): readonly (readonly [string, string])[] {
  const open = keys.map((key) => `"${key}": {`).join(' ');
  const close = '}'.repeat(keys.length);
  const plain: readonly (readonly [string, string])[] = [
    ['an empty object', '{}'],
    ['no servers', `{${open}${close}}`],
    ['a single line', `{"a": 1, ${open}"other": {"command": "x"}${close}, "b": [1, 2]}`],
    [
      'indentation by tabs',
      `{\n\t"a": {\n\t\t"b": 1\n\t},\n\t${open}\n\t\t"other": {"command": "x"}\n\t${close}\n}\n`,
    ],
    [
      'indentation by three spaces',
      `{\n   ${open}\n      "other": {\n         "command": "x"\n      }\n   ${close}\n}\n`,
    ],
    ['no indentation', `{\n${open}\n"other": {"command": "x"}\n${close}\n}\n`],
    [
      'servers before other settings',
      `{\n  ${open}\n    "other": {"command": "x"}\n  ${close},\n  "z": "é \\u00e9 {"\n}\n`,
    ],
  ];
  if (format === 'json') return plain;
  return [
    ...plain,
    ['only a comment inside', `{ // none\n}`],
    ['a comment before the end', `{\n  "a": 1\n  // end\n}\n// after\n`],
    [
      'comments and trailing commas',
      `// top\n{\n  /* a { */ "a": "// no comment", // after a\n  // before the servers\n  ${open} // servers\n    "other": {"command": "x",}, // other\n    // last\n  ${close}, // end\n}\n`,
    ],
  ];
}

const toml: readonly (readonly [string, string])[] = [
  ['only a comment', '# nothing yet'],
  ['an empty table of servers', '[mcp_servers]\n'],
  ['dotted keys', 'mcp_servers.other.command = "x"\n'],
  ['servers as inline tables', '[mcp_servers]\nother = { command = "x" } # inline\n'],
  ['lists of tables', '[[a]]\nb = 1\n[[a]]\nb = 2\n'],
  ['quoted keys', '["mcp_servers"."my server"]\ncommand = \'x\'\n'],
  ['empty lines at the end', 'a = 1\n\n\n'],
  [
    'comments, tabs and texts of several lines',
    '# top\nmodel = "o3" # best\nnotes = """\n[mcp_servers.claude-code]\n"""\n\n\t[mcp_servers.other] # other\n\t\tcommand = "x"\n\t\targs = [\n\t\t\t"a", # first\n\t\t]\n\n[profiles.a]\nseen = 2026-01-02T03:04:05Z\nratio = inf\n# end\n',
  ],
];
