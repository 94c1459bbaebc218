/** Splits at commas. A comma inside brackets belongs to its rule: `Bash(a,b)`. Returns nothing if there are more parts. */
export function splitOutsideBrackets(text: string, maxParts = Infinity): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth <= 0) {
      if (parts.length >= maxParts) return [];
      parts.push('');
    } else parts[parts.length - 1] += char;
  }
  return parts;
}
