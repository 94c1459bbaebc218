/** Splits at commas. A comma inside brackets belongs to its rule: `Bash(a,b)`. */
export function splitOutsideBrackets(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}
