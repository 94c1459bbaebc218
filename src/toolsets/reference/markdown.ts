/** A Markdown table; cells may hold anything but line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** 1800000 as 1,800,000. */
export function digits(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
