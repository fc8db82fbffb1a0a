/** The demo that the first page shows is still the one that `ralph demo` plays. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { journalLines } from "../../../scripts/lib/docs/recording.ts";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { cleanUp, wholeLines } from "../support/harness.ts";
import { runBlock } from "./run-block.ts";
import { openWorld } from "./worlds.ts";

afterAll(cleanUp);

/** What a viewer sees of an event, without times, ids and places. */
function seen(line: string): unknown[] {
  const event: RalphEvent = JSON.parse(line);
  switch (event.type) {
    case "agent_text":
      return [event.iteration, event.text];
    case "agent_tool_started":
      return [event.iteration, event.tool, event.input];
    case "agent_limit":
      return [event.iteration, event.message];
    case "iteration_finished":
      return [event.iteration, event.verdict.sentence];
    case "run_finished":
      return [event.stop_reason, event.sentence, event.iterations, event.calls, event.cost_usd];
    default:
      return [];
  }
}
const shown = (lines: readonly string[]) => lines.map(seen).filter((words) => words.length > 0);

test.skipIf(process.platform === "win32")(
  "the recorded demo is what ralph demo plays (mend with: npm run build, npm run docs -- --record)",
  async () => {
    const world = await openWorld("nothing");
    const { exit, output } = await runBlock("ralph demo --keep", world, null);
    expect({ exit, output: exit === 0 ? "" : output }).toEqual({ exit: 0, output: "" });
    const glob = new Bun.Glob("ralph-demo-*/greeter/.ralph/runs/*/events.jsonl");
    const tmp = world.env.TMPDIR ?? "";
    const [journal = ""] = [...glob.scanSync({ cwd: tmp, dot: true })];
    expect(shown(journalLines())).toEqual(shown(wholeLines(join(tmp, journal))));
  },
);
