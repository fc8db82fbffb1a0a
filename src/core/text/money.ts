/** Money in USD: `$1.30`, `$0.07`, and with four decimals where cents alone would hide what is below ten cents: `$0.0034`. */
export function money(usd: number): string {
  if (usd === 0 || usd >= 0.1) return `$${usd.toFixed(2)}`;
  return `$${usd.toFixed(4).replace(/00$/, "")}`;
}
