import * as v from "valibot";
import { locateJson } from "./text/json-positions.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ms = v.pipe(v.number(), v.minValue(0));

const iteration = v.strictObject({
  /** The answer, before its status block. */
  text: v.optional(v.string()),
  /** Files to write, by path below the working folder. */
  write: v.optional(v.record(v.string(), v.string())),
  /** Commits the written files with this message. */
  commit: v.optional(v.string()),
  /** The number of open boxes to tick in the plan, from the top. */
  tick: v.optional(count),
  /** Fields of the status block at the end of the answer. */
  status: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  exit_code: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))),
  delay_ms: v.optional(ms),
  /** Lines to print unchanged, instead of generated output. */
  stream: v.optional(v.array(v.string())),
  /** Silence before the answer. */
  hang_ms: v.optional(ms),
  /** Ends the call with the provider's limit. */
  limit: v.optional(v.strictObject({ resets_in_ms: v.optional(ms), message: v.optional(v.string()) })),
  /** Ends the call with another error. */
  error: v.optional(
    v.strictObject({
      class: v.picklist(["auth", "limit", "request", "session", "infrastructure", "offline", "config"]),
      message: v.string(),
    }),
  ),
  /** Shell commands to report as denied. */
  denied: v.optional(v.array(v.string())),
  /** Starts a process that outlives the agent by this time. */
  background_child: v.optional(ms),
  usage: v.optional(
    v.strictObject({ input_tokens: v.optional(count), output_tokens: v.optional(count), cost_usd: v.optional(ms) }),
  ),
});
const script = v.strictObject({ iterations: v.pipe(v.array(iteration), v.minLength(1)) });

export type DemoIteration = v.InferOutput<typeof iteration>;
/**
 * The scripted agent's actions for each call (interfaces.md "The scripted agent"); the last one repeats after the end.
 */
export type DemoScript = v.InferOutput<typeof script>;

/** A fault in a script, in words, and its line (from 1). */
export type DemoScriptProblem = { line: number; problem: string };

/** Parses a script's JSON; returns the first fault if there is one. */
export function parseDemoScript(text: string): DemoScript | DemoScriptProblem {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { line: locateJson(text).broken ?? 1, problem: "this is no JSON" };
  }
  const parsed = v.safeParse(script, json);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue) ?? "";
  const reason = issue.expected === "never" ? "there is no such field" : issue.message;
  return { line: locateJson(text).lineOf(path), problem: `${path === "" ? "the document" : path}: ${reason}` };
}

/** The default script: works through the plan of any project, without touching its repository. */
export const DEFAULT_DEMO_SCRIPT: DemoScript = {
  iterations: [
    {
      delay_ms: 400,
      text: "I wrote down how I want to go about it.",
      write: { "ralph-demo/approach.md": "# Approach\n\nOne task after the other, the riskiest first.\n" },
      tick: 1,
      status: {
        STATUS: "IN_PROGRESS",
        TASKS_COMPLETED_THIS_LOOP: 1,
        FILES_MODIFIED: 1,
        TESTS_STATUS: "NOT_RUN",
        WORK_TYPE: "DOCUMENTATION",
        EXIT_SIGNAL: false,
        RECOMMENDATION: "Go on with the next task",
      },
    },
    {
      delay_ms: 400,
      text: "The remaining tasks are done.",
      write: { "ralph-demo/result.md": "# Result\n\nAll of it works.\n" },
      tick: 1000,
      status: {
        STATUS: "COMPLETE",
        TASKS_COMPLETED_THIS_LOOP: 1,
        FILES_MODIFIED: 1,
        TESTS_STATUS: "PASSING",
        WORK_TYPE: "IMPLEMENTATION",
        EXIT_SIGNAL: true,
        RECOMMENDATION: "Nothing is left to do",
      },
    },
  ],
};
