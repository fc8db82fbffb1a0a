/** A size in bytes: `512 B`, `1.4 kB`, `23 MB`. */
export function byteSize(n: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = n < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(n) / 3));
  const value = n / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
