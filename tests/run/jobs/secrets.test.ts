/** What a run records of secrets, and that it decides as if there were no masks. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import type { AgentEvent, CommandRequest } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { seed } from "../../seed.ts";
import { type FakeParts, fakeWorld, finished, type Play } from "../fake-world.ts";

const SECRET = "zebra-7-fjord";
const TOKENS = [`ghp_${"a1B2c3D4e5F6".repeat(3)}`, `ghp_${"z9Y8x7W6v5U4".repeat(3)}`];
const env = { A_TOKEN: SECRET };

async function played(plays: readonly Play[], parts: FakeParts = {}): Promise<RalphEvent[]> {
  const fake = fakeWorld({
    plays,
    world: { env },
    ...parts,
    settings: { MAX_ITERATIONS: plays.length, ...parts.settings },
  });
  await fake.run(loop);
  return fake.journal;
}

/** What was decided, without any text. */
function decisions(journal: readonly RalphEvent[]): unknown[] {
  return journal.map((event) => {
    if (event.type === "run_finished") return [event.type, event.stop_reason, event.exit_code];
    if (event.type === "wait_started") return [event.type, event.why, event.until];
    if (event.type !== "iteration_finished") return event.type;
    const { outcome, verdict, breaker, analysis, evidence } = event;
    const figures = Object.entries(analysis).filter(([, value]) => typeof value !== "string" && !Array.isArray(value));
    const { state, no_progress, same_error } = breaker;
    return [outcome, verdict.rule, state, no_progress, same_error, figures, evidence.progress];
  });
}

const secret = fc.constantFrom(SECRET, ...TOKENS, "nothing");
const block = fc.constantFrom(
  "",
  "\n---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---",
  "\n---RALPH_STATUS---\nSTATUS: BLOCKED\nEXIT_SIGNAL: false\nRECOMMENDATION: ask\n---END_RALPH_STATUS---",
);
const events = fc.oneof(
  secret.map((word): AgentEvent => ({ type: "denied", tool: "Bash", command: `curl ${word}`, tool_use_id: null })),
  secret.map((word): AgentEvent => ({ type: "text", text: `Error: ${word} was refused\nShould I go on?` })),
  secret.map((word): AgentEvent => ({ type: "error", message: `529 overloaded ${word}`, class: "infrastructure" })),
  secret.map(
    (word): AgentEvent => ({ type: "tool_result", tool_use_id: "t", content: `fatal: ${word}`, is_error: true }),
  ),
);
const play = fc
  .record({ said: fc.array(events, { maxLength: 3 }), word: secret, end: block, works: fc.boolean() })
  .map(({ said, word, end, works }): Play => {
    const last: AgentEvent = {
      type: "finished",
      ok: true,
      text: `Error: ${word} failed.${end}`,
      duration_ms: null,
      cost_usd: null,
    };
    return { says: [...said, last], changes: works ? ["a.ts"] : [] };
  });

test("masking never changes a verdict", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(play, { minLength: 1, maxLength: 8 }), fc.boolean(), async (plays, evidence) => {
      const settings = { DONE_POLICY: evidence ? "evidence" : "signals", PERMISSION_DENIAL_MODE: "threshold" } as const;
      const masked = await played(plays, { settings });
      const open = await played(plays, { settings: { ...settings, MASK_SECRETS: false } });
      expect(decisions(masked)).toEqual(decisions(open));
      expect(JSON.stringify(masked)).not.toMatch(/fjord|ghp_/);
    }),
    { seed, numRuns: 150 },
  );
});

test("the agent is told what a person said in full, and the journal only what it was called", async () => {
  const prompts: string[] = [];
  const buildCommand = ({ prompt }: CommandRequest) => {
    prompts.push(prompt);
    return { argv: ["demo"], stdin: prompt };
  };
  const fake = fakeWorld({
    plays: [
      { says: [finished], changes: ["a"] },
      { says: [finished], changes: ["b"] },
    ],
    world: { env },
    settings: { MAX_ITERATIONS: 2 },
    driver: { buildCommand },
  });
  const words = `use ${TOKENS[0]} and ${SECRET}`;
  await fake.run(async (run) => {
    run.control({ command: "say", text: words });
    return loop(run, fake.agent);
  });
  expect(prompts[0]).toContain(words);
  expect(JSON.stringify(fake.journal)).not.toMatch(/fjord|ghp_/);
});
