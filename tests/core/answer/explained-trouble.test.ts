import { expect, test } from "bun:test";
import { analyse } from "../../../src/core/answer/analysis.ts";
import { collectEvent, emptyCollectedOutput } from "../../../src/core/answer/collected-output.ts";
import { explain } from "../../../src/core/answer/explain-analysis.ts";
import type { AgentEvent } from "../../../src/driver.ts";

function explained(...events: AgentEvent[]): string[] {
  const output = events.reduce(collectEvent, emptyCollectedOutput());
  return explain(analyse(output, null, { allowedTools: [] }), output);
}
const finished = (ok: boolean, text: string): AgentEvent => ({
  type: "finished",
  ok,
  text,
  duration_ms: null,
  cost_usd: null,
});

test("an answer with more than five errors is explained as stuck", () => {
  const errors = (count: number) => Array.from({ length: count }, (_, n) => `Error: ${"abcdefgh"[n]}`).join("\n");
  expect(explained(finished(true, errors(6)))).toContain("Stuck: yes, more than five errors.");
  expect(explained(finished(true, errors(5))).join()).not.toContain("Stuck");
});

test("a failed call is explained with its error, if it has one", () => {
  expect(explained(finished(false, "x"))).toContain("Failed: yes.");
  expect(explained({ type: "error", class: "auth", message: "log in" }, finished(false, "x"))).toContain(
    "Failed: yes, auth: log in",
  );
});

test("a limit is explained with its end, if it states one", () => {
  const limit = (resets_at: string | null): AgentEvent => ({
    type: "rate_limited",
    kind: "usage_limit",
    message: "5 h.",
    resets_at,
  });
  expect(explained(limit(null))).toContain("Limit: usage_limit, no reset time is stated. 5 h.");
  expect(explained(limit("2026-01-01T00:00:00Z"))).toContain(
    "Limit: usage_limit, it ends at 2026-01-01T00:00:00Z. 5 h.",
  );
});
