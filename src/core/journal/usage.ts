import type { Usage } from "../../driver.ts";

/** Usage with what it probably cost, in USD, where the agent does not tell (core/money/estimate.ts). */
export type Spending = Usage & { estimated_usd?: number };

/** The money of it. */
export type Cost = Pick<Spending, "cost_usd" | "estimated_usd">;

/** The figures of usage that count tokens. */
export type TokenCounts = Pick<Usage, "input_tokens" | "output_tokens" | "cache_creation_tokens" | "cache_read_tokens">;

/** Usage of a call that has reported none. */
export function noUsage(): Usage {
  return {
    input_tokens: null,
    output_tokens: null,
    cache_read_tokens: null,
    cache_creation_tokens: null,
    cost_usd: null,
    duration_ms: null,
    turns: null,
    model: null,
  };
}

/** More than any call can come to, each a thousand times over: the rest is a mistake, or a lie. */
const MOST = {
  input_tokens: 1e12,
  output_tokens: 1e12,
  cache_read_tokens: 1e12,
  cache_creation_tokens: 1e12,
  cost_usd: 1e6,
  duration_ms: 1e11,
  turns: 1e9,
} as const satisfies Record<Exclude<keyof Usage, "model">, number>;

/**
 * Usage without the figures that cannot be: below zero, beyond all measure, or no number. A sum with one of them would reach a bound
 * at once, or never.
 * @returns what was not believed as `name value`, with the rest, where such figures are unknown
 */
export function believableUsage<U extends Partial<Usage>>(usage: U): { usage: U; doubted: string[] } {
  const doubted = Object.entries(MOST).flatMap(([name, most]) => {
    const value: unknown = usage[name as keyof Usage];
    const isFine = value === null || value === undefined || (typeof value === "number" && value >= 0 && value <= most);
    return isFine ? [] : [[name, value] as const];
  });
  if (doubted.length === 0) return { usage, doubted: [] };
  const unknown = Object.fromEntries(doubted.map(([name]) => [name, null]));
  return { usage: { ...usage, ...unknown }, doubted: doubted.map(([name, value]) => `${name} ${String(value)}`) };
}

/** Adds the usage of two calls; a figure is unknown only if it is unknown in both. The newer model wins. */
export function addUsage(a: Spending, b: Spending): Spending {
  return {
    ...addCost(a, b),
    input_tokens: plus(a.input_tokens, b.input_tokens),
    output_tokens: plus(a.output_tokens, b.output_tokens),
    cache_read_tokens: plus(a.cache_read_tokens, b.cache_read_tokens),
    cache_creation_tokens: plus(a.cache_creation_tokens, b.cache_creation_tokens),
    duration_ms: plus(a.duration_ms, b.duration_ms),
    turns: plus(a.turns, b.turns),
    model: b.model ?? a.model,
  };
}

/** The money of two calls; each part is unknown only if it is unknown in both. */
export function addCost(a: Cost, b: Cost): Cost {
  const estimated = sumOfMoney(a.estimated_usd ?? null, b.estimated_usd ?? null);
  const cost_usd = sumOfMoney(a.cost_usd, b.cost_usd);
  return { cost_usd, ...(estimated === null ? {} : { estimated_usd: estimated }) };
}

/** All money, estimated or not; null only if nothing is known. */
export function usdOf({ cost_usd, estimated_usd }: Cost): number | null {
  return sumOfMoney(cost_usd, estimated_usd ?? null);
}

/** Nothing but the money of something that has it. */
export function costOf({ cost_usd, estimated_usd }: Cost): Cost {
  return { cost_usd, ...(estimated_usd === undefined ? {} : { estimated_usd }) };
}

/**
 * All tokens that moved, of each class: input, output, written to the cache and read from it. In long conversations the reads are
 * nearly all of them (anthropics/claude-code#83048: 97 %).
 */
export function totalTokens(usage: Usage): number {
  return freshTokens(usage) + (usage.cache_creation_tokens ?? 0) + (usage.cache_read_tokens ?? 0);
}

/** Input and output tokens without the cache, as the originals count them. */
export function freshTokens({ input_tokens, output_tokens }: Usage): number {
  return (input_tokens ?? 0) + (output_tokens ?? 0);
}

/**
 * The tokens by class, as in `12 in, 340 out, 5,000 cache writes, 91,200 cache reads`; classes without any are left out.
 * @param figure how a number is written
 */
export function describeTokens(usage: TokenCounts, figure: (n: number) => string = grouped): string {
  const classes: [number | null, string][] = [
    [usage.input_tokens, "in"],
    [usage.output_tokens, "out"],
    [usage.cache_creation_tokens, "cache writes"],
    [usage.cache_read_tokens, "cache reads"],
  ];
  return classes.flatMap(([n, name]) => (n === null || n === 0 ? [] : `${figure(n)} ${name}`)).join(", ");
}

function grouped(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Adds two amounts of money; unknown only if both are. */
export function sumOfMoney(a: number | null, b: number | null): number | null {
  const sum = plus(a, b);
  return sum === null ? null : roundMoney(sum);
}

/** To a millionth of a cent: sums of binary fractions would end in 0000000004. */
export function roundMoney(usd: number): number {
  return Math.round(usd * 1e8) / 1e8;
}

function plus(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
