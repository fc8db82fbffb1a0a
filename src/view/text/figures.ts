import { describeTokens, type TokenCounts } from "../../core/journal/usage.ts";
import { money } from "../../core/text/money.ts";
import type { Style } from "./style.ts";

/** A duration in ms for a reader: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The duration of something unfinished: whole seconds, since tenths would flicker. */
export function elapsed(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

/** A count of tokens: `950`, `12.3k`, `4.1M`, `2.8B`. */
export function tokens(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_950) return `${(n / 1000).toFixed(1)}k`;
  return n < 999_950_000 ? `${(n / 1_000_000).toFixed(1)}M` : `${(n / 1_000_000_000).toFixed(1)}B`;
}

/** `1 token`, `12.3k tokens`. */
export function tokenCount(n: number): string {
  return `${tokens(n)} ${n === 1 ? "token" : "tokens"}`;
}

/** The cost so far; null if it is zero or unknown. */
export function spent(usd: number | null): string | null {
  return usd === null || usd === 0 ? null : money(usd);
}

type Shown = { readonly cost_usd: number | null; readonly estimated_usd?: number | null };

/** What usage cost, `≈` before an estimate; null if it is zero or unknown. */
export function cost({ cost_usd, estimated_usd }: Shown): string | null {
  const estimated = estimated_usd === 0 || estimated_usd == null ? null : `≈${money(estimated_usd)}`;
  return [spent(cost_usd), estimated].filter((part) => part !== null).join(" + ") || null;
}

/** The classes of tokens: `4.0k in, 60.0k out, 120k cache writes, 1.1M cache reads`. */
export function tokenClasses(usage: TokenCounts): string {
  return describeTokens(usage, tokens);
}

/** `+12 -3` of changed lines; "" for none. */
export function lineFigures(added: number, removed: number, style: Style): string {
  return [added > 0 ? style.green(`+${added}`) : "", removed > 0 ? style.red(`-${removed}`) : ""]
    .filter((part) => part !== "")
    .join(" ");
}

/** As many characters of a commit's id as git shows by itself. */
export function shortId(id: string): string {
  return id.slice(0, 7);
}
