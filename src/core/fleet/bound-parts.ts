/** The bounds of which a worker gets a part: its setting, the flag of `ralph run`, the least part, and how a part is written. */
export const BOUND_PARTS = {
  max_iterations: { setting: "MAX_ITERATIONS", flag: "--max-iterations", least: 1, text: String },
  max_cost: { setting: "MAX_COST_USD", flag: "--max-cost", least: 0.01, text: (usd: number) => usd.toFixed(2) },
  max_tokens: { setting: "MAX_TOKENS", flag: "--max-tokens", least: 1, text: String },
} as const;

export type PartedBound = keyof typeof BOUND_PARTS;
export const PARTED_BOUNDS = Object.keys(BOUND_PARTS) as PartedBound[];
