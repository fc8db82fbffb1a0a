import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { initialState } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { parsePlan } from "../../src/core/plan/fix-plan.ts";
import { analysisOf, callEvents, evidenceOf, NOON, settingsOf } from "../core/given.ts";

/** Views show local times, so runs start at local noon: noon in UTC differs by time zone. */
export const START = NOON;
export const SECOND = 1000;

const counts = (checked: number) => ({ total: 5, checked, unchecked: 5 - checked, blocking_unchecked: 5 - checked });

export const plan = parsePlan(
  "- [x] Settings\n- [x] Parser\n- [ ] Greet by name\n- [ ] 日本語の文書\n- [ ] Release\n",
  [],
);

/** One event each second, from noon on. */
export function eventsOf(bodies: readonly EventBody[]): RalphEvent[] {
  let iteration = 0;
  return bodies.map((body, index) => {
    if (body.type === "iteration_started") iteration = body.number;
    const at = new Date(START + index * SECOND).toISOString();
    return { v: 1, seq: index + 1, at, run: "0007-20260304-120000", iteration, ...body };
  });
}

export function toolEvents(id: string, command: string, content: string, is_error = false): EventBody[] {
  return [
    { type: "agent_tool_started", call: 1, tool_id: id, tool: "Bash", input: { command, description: null } },
    { type: "agent_tool_finished", call: 1, tool_use_id: id, content, is_error },
  ];
}

const settings = settingsOf({ PROJECT_NAME: "greeter", MAX_ITERATIONS: 8, MAX_COST_USD: 5 });
const usage = { ...noUsage(), input_tokens: 12_000, output_tokens: 300, cost_usd: 0.42, model: "opus" };

function iteration(number: number, checked: number, files: number): EventBody[] {
  const [started, finished] = callEvents(number, 1);
  if (started?.type !== "iteration_started" || finished === undefined) throw new Error("two events");
  return [
    { ...started, plan: counts(checked - 1) },
    { type: "agent_text", call: 1, text: `## Step ${number}\n\nI **read** \`src/a.ts\` and wrote the parser.` },
    {
      type: "agent_tool_started",
      call: 1,
      tool_id: `e${number}`,
      tool: "Edit",
      input: { file_path: "/project/src/a.ts", old_string: "a", new_string: "b\nc" },
    },
    { type: "agent_tool_finished", call: 1, tool_use_id: `e${number}`, content: "ok", is_error: false },
    ...toolEvents(`b${number}`, "npm test", "12 pass\n0 fail"),
    { type: "agent_usage", call: 1, ...usage },
    finished,
    {
      type: "iteration_finished",
      outcome: "answered",
      analysis: analysisOf({ status: "IN_PROGRESS", tests_status: "PASSING", confidence_score: 40 }),
      evidence: evidenceOf({
        files_changed: ["src/a.ts", "src/b.ts"].slice(0, files),
        files_changed_count: files,
        commits: ["abc"],
        plan_delta: 1,
        plan: counts(checked),
      }),
      verdict: { rule: "progress", sentence: `Progress: ${files} files changed, 1 box ticked.` },
      breaker: { ...initialState("").breaker, same_error: number === 2 ? 1 : 0, last_progress: number },
      usage,
      ms: 95_000,
    },
  ];
}

/** A run in its third iteration, with a running tool. */
export const runningRun: RalphEvent[] = eventsOf([
  {
    type: "run_started",
    version: "1.0.0",
    driver: "claude-code",
    display_name: "Claude Code",
    settings,
    state: initialState("/project"),
    pid: 1,
    started_by: "cli",
    project: "/project",
  },
  ...iteration(1, 1, 2),
  ...iteration(2, 2, 1),
  ...callEvents(3, 1)
    .slice(0, 1)
    .map((body) => (body.type === "iteration_started" ? { ...body, plan: counts(2) } : body)),
  ...toolEvents("x", "rm -rf /", "Permission denied", true),
  { type: "said", text: "Use yargs" },
]);
