/** `$0.42`, and `<$0.01` for what would look like nothing. Nobody counts the cents of a large amount. */
export function dollars(usd: number): string {
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${usd.toFixed(usd >= 100 ? 0 : 2)}`;
}
