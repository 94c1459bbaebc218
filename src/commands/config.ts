import { describeSource, type Loaded } from '../config/load.js';
import type { Setting } from '../config/setting.js';
import { settingRows, type Settings, type SettingKey } from '../config/settings.js';
import { escapeHidden } from '../core/text/escape.js';
import { mask } from '../core/observability/mask.js';

type Value = Settings[SettingKey];

/** After a longer value, the next column is on a line of its own. */
const widestColumn = 40;
const gap = 2;

/** What `claude-code-mcp config` prints: every setting, its value and where it came from. */
export function configText(loaded: Loaded): string {
  const rows = settingRows.map(({ key, isSecret }) => [
    key,
    visible(show(visibleValue(loaded.settings[key], isSecret))),
    visible(describeSource(loaded.sources[key])),
  ]);
  const lines = align([['SETTING', 'VALUE', 'FROM'], ...rows, ...principalRows(loaded)]);
  const warnings = loaded.warnings.map((warning) => `Warning: ${visible(warning)}`);
  return [...lines, ...(warnings.length > 0 ? ['', ...warnings] : []), ''].join('\n');
}

/** The same as JSON. Unset values are null. */
export function configJson(loaded: Loaded): string {
  const entries = settingRows.map(({ key, isSecret }) => {
    const { kind, ...name } = loaded.sources[key];
    return [
      key,
      { value: visibleValue(loaded.settings[key], isSecret) ?? null, source: kind, ...name },
    ] as const;
  });
  const { principals, warnings } = loaded;
  const report = {
    settings: Object.fromEntries(entries),
    ...(principals === undefined ? {} : { principals: Object.fromEntries(principals.entries) }),
    warnings,
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Where the page is: at an address, at that of the service (`on`), or nowhere (`off`). */
export function pageState({ web }: Pick<Settings, 'web'>, isService: boolean): string {
  if (isService) return web === 'off' ? 'off' : 'on';
  return web ?? 'off';
}

/** Only a config file can name principals. */
function principalRows({ principals }: Loaded): string[][] {
  return [...(principals?.entries ?? [])].map(([name, entry]) => [
    `principals.${name}`,
    visible(JSON.stringify(entry)),
    visible(describeSource({ kind: 'file', name: principals?.file ?? '' })),
  ]);
}

/** Every printed value passes through here, so that no secret is shown. */
function visibleValue(value: Value, isSecret: Setting['isSecret']): Value {
  return isSecret === true && value !== undefined ? mask : value;
}

function show(value: Value): string {
  if (value === undefined) return '(not set)';
  if (typeof value === 'object') return value.length === 0 ? '(none)' : value.join(', ');
  return String(value);
}

/** Escapes a value, so that it can neither move the cursor nor imitate another line. */
function visible(text: string): string {
  return escapeHidden(text).replaceAll('\n', '\\n');
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(widestColumn, Math.max(...rows.map((row) => (row[column] ?? '').length))),
  );
  const starts = widths.map((_, column) =>
    widths.slice(0, column).reduce((sum, width) => sum + width + gap, 0),
  );
  return rows.flatMap((row) =>
    row.reduce<string[]>((lines, cell, column) => {
      const [start, last] = [starts[column] ?? 0, lines.at(-1)];
      if (last === undefined) return [cell];
      if (last.length + gap > start) return [...lines, `${' '.repeat(start)}${cell}`];
      return [...lines.slice(0, -1), `${last.padEnd(start)}${cell}`];
    }, []),
  );
}
