import type { Usage } from "../../driver.ts";
import type { Evidence } from "../journal/event.ts";
import type { Settings } from "../settings/settings.ts";

/** What one iteration of a conversation cost, in USD or in weighted tokens; null if the agent does not tell. */
export type ConversationCost = { cost: number | null; turns: number | null };

/**
 * Weights of the token classes where no money is reported: the price of each over that of an input token, which the price lists
 * of the vendors agree on within a factor of two (2026-11).
 */
const WEIGHTS = { output: 5, cacheWrite: 1.25, cacheRead: 0.1 };

/** A conversation is kept on a tie: what it remembers is worth something, too. */
const MARGIN = 1.05;
/** So much dearer than its mean, a conversation is left in the middle of a task as well. */
const TOO_DEAR = 1.5;
const MOST_COSTS = 50;

/** The costs of a conversation after one more iteration; the newest 50. */
export function addConversationCost(costs: readonly ConversationCost[], usage: Usage): ConversationCost[] {
  return [...costs, { cost: costOf(usage), turns: usage.turns }].slice(-MOST_COSTS);
}

/**
 * Whether the next iteration begins a new conversation (product.md "Sessions"). `auto` replaces a conversation as one replaces a
 * machine that grows dearer to run: as soon as its next call would cost more than the mean of its calls so far, its beginning
 * included. That is the cheapest moment for costs that only grow; a compaction lowers them, and the conversation goes on.
 * @param costs of the conversation's iterations, oldest first
 * @param last what the newest iteration changed: between two tasks is the better moment
 */
export function isRenewalDue(
  costs: readonly ConversationCost[],
  last: Pick<Evidence, "plan_delta" | "commits"> | null,
  { SESSION_RENEW }: Pick<Settings, "SESSION_RENEW">,
): boolean {
  if (SESSION_RENEW === "never" || costs.length === 0) return false;
  if (SESSION_RENEW === "always") return true;
  if (SESSION_RENEW !== "auto") return costs.length >= SESSION_RENEW;
  const dearness = nextOverMean(costs);
  if (dearness === null) return false;
  const betweenTasks = last !== null && (last.plan_delta > 0 || last.commits.length > 0);
  return dearness > (betweenTasks ? MARGIN : TOO_DEAR);
}

/** The expected cost of the next iteration over the mean of those so far; null if that is unknown. */
function nextOverMean(costs: readonly ConversationCost[]): number | null {
  const newest = costs.at(-1);
  if (newest === undefined || costs.length < 2) return null;
  let sum = 0;
  let turns = 0;
  for (const one of costs) {
    if (one.cost === null) return null;
    sum += one.cost;
    turns = one.turns === null || one.turns <= 0 ? Number.NaN : turns + one.turns;
  }
  if (sum <= 0 || newest.cost === null) return null;
  // A turn's price tells how dear the conversation is; how many turns a task takes is chance.
  const next =
    Number.isNaN(turns) || newest.turns === null ? newest.cost : (newest.cost / newest.turns) * (turns / costs.length);
  return (next * costs.length) / sum;
}

function costOf(usage: Usage): number | null {
  if (usage.cost_usd !== null && usage.cost_usd > 0) return usage.cost_usd;
  const { input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens } = usage;
  if (input_tokens === null && cache_read_tokens === null) return null;
  return (
    (input_tokens ?? 0) +
    WEIGHTS.output * (output_tokens ?? 0) +
    WEIGHTS.cacheWrite * (cache_creation_tokens ?? 0) +
    WEIGHTS.cacheRead * (cache_read_tokens ?? 0)
  );
}
