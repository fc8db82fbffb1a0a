/** What the queue of a plan's tasks knows of one of them: the JSON in the message of the commit that its ref points at. */
import * as v from "valibot";
import { usageSchema } from "../journal/event-schema.ts";
import { jsonIn } from "../json-value.ts";

/** The worker that has or had a task. */
const worker = v.object({
  /** Unique among the workers of a queue: host, project and number. */
  name: v.string(),
  run: v.optional(v.string()),
  /** The agent's conversation, for work that comes back. */
  session: v.optional(v.nullable(v.string())),
  /** What that conversation used: some CLIs report no call's usage, only its. */
  used: v.optional(usageSchema),
});

const result = { branch: v.string(), commit: v.string() };

const claim = v.variant("state", [
  /** Somebody works on it until `until` (epoch ms), and renews it before. */
  v.object({
    state: v.literal("claimed"),
    task: v.string(),
    text: v.string(),
    worker,
    until: v.number(),
    tries: v.number(),
  }),
  /** Its work is on the branch, and waits to be landed. */
  v.object({ state: v.literal("handed_in"), task: v.string(), text: v.string(), worker, ...result, tries: v.number() }),
  /** Its work could not be landed, a person answered, or a run left it unfinished: it goes on where it was, with this text for the agent. */
  v.object({
    state: v.literal("returned"),
    task: v.string(),
    text: v.string(),
    worker,
    branch: v.nullable(v.string()),
    why: v.picklist(["conflict", "red", "answered", "unfinished"]),
    message: v.string(),
    tries: v.number(),
  }),
  /** Nobody works on it until a person did something. */
  v.object({
    state: v.literal("parked"),
    task: v.string(),
    text: v.string(),
    worker,
    branch: v.nullable(v.string()),
    why: v.string(),
    tries: v.number(),
  }),
]);

export type TaskClaim = v.InferOutput<typeof claim>;
/** What became of a task that a worker had. `lost`: another worker took it over. */
export type TaskOutcome = "handed_in" | "given_back" | "parked" | "lost";

/** Where claims are: below it a folder for each queue, in that a ref for each task, named by its id. */
export const CLAIM_REFS = "refs/ralph/claims";

/** Reads the message of a claim's commit; null if ralph did not write it. */
export function parseClaim(message: string): TaskClaim | null {
  const read = v.safeParse(claim, jsonIn(message));
  return read.success ? read.output : null;
}

/**
 * What stands for a claim that cannot be read, as of a newer ralph, or that is another task's: who has the task is not known, so no
 * worker takes it before a person said so.
 */
export function unreadableClaim(task: string): TaskClaim {
  const why =
    "Its claim in the hub cannot be read: another version of ralph, or something else, wrote it. Answer to begin it anew.";
  return { state: "parked", task, text: task, worker: { name: "" }, branch: null, why, tries: 0 };
}

export function claimMessage(claimed: TaskClaim): string {
  return JSON.stringify(claimed);
}

/** Whether a worker may take a task that has this claim, at `now` (epoch ms). */
export function isTakeable(claimed: TaskClaim | null, now: number): boolean {
  if (claimed === null || claimed.state === "returned") return true;
  return claimed.state === "claimed" && claimed.until <= now;
}
