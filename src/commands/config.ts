import type { Loaded } from '../config/load.js';
import type { Setting } from '../config/setting.js';
import { settingRows, type Settings, type SettingKey } from '../config/settings.js';
import { describeSource } from '../config/source.js';
import { escapeHidden } from '../core/text/escape.js';
import { mask } from '../core/observability/mask.js';

type Value = Settings[SettingKey];

/** Longer values push their own line out, not the column of all others. */
const widestColumn = 40;

/** What `claude-code-mcp config` prints: every setting, its value and where it came from. */
export function configText(loaded: Loaded): string {
  const rows = settingRows.map(([key, setting]) => [
    key,
    visible(show(visibleValue(loaded.settings[key], setting))),
    visible(describeSource(loaded.sources[key])),
  ]);
  const lines = align([['SETTING', 'VALUE', 'FROM'], ...rows]);
  const warnings = loaded.warnings.map((warning) => `Warning: ${visible(warning)}`);
  return [...lines, ...(warnings.length > 0 ? ['', ...warnings] : []), ''].join('\n');
}

/** The same for programs; a value that is not set is null. */
export function configJson(loaded: Loaded): string {
  const entries = settingRows.map(([key, setting]) => {
    const { kind, ...name } = loaded.sources[key];
    return [
      key,
      { value: visibleValue(loaded.settings[key], setting) ?? null, source: kind, ...name },
    ] as const;
  });
  const report = { settings: Object.fromEntries(entries), warnings: loaded.warnings };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Every value passes here on its way out, so that no secret is printed. */
function visibleValue(value: Value, { isSecret }: Setting<unknown>): Value {
  return isSecret === true && value !== undefined ? mask : value;
}

function show(value: Value): string {
  if (value === undefined) return '(not set)';
  if (typeof value === 'object') return value.length === 0 ? '(none)' : value.join(', ');
  return String(value);
}

/** A value must not move the cursor, nor look like a line of its own. */
function visible(text: string): string {
  return escapeHidden(text).replaceAll('\n', '\\n');
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(widestColumn, Math.max(...rows.map((row) => (row[column] ?? '').length))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
