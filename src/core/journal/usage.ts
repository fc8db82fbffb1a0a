import type { Usage } from "../../driver.ts";

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

/** Adds the usage of two calls; a figure is unknown only if it is unknown in both. The newer model wins. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: plus(a.input_tokens, b.input_tokens),
    output_tokens: plus(a.output_tokens, b.output_tokens),
    cache_read_tokens: plus(a.cache_read_tokens, b.cache_read_tokens),
    cache_creation_tokens: plus(a.cache_creation_tokens, b.cache_creation_tokens),
    cost_usd: plus(a.cost_usd, b.cost_usd),
    duration_ms: plus(a.duration_ms, b.duration_ms),
    turns: plus(a.turns, b.turns),
    model: b.model ?? a.model,
  };
}

/** Input and output tokens together. Cache reads are left out because they are not billed in full. */
export function totalTokens(usage: Usage): number {
  return (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
}

function plus(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
