import { describeGateExit, type GateRecord } from "../decide/gate-rules.ts";
import type { TaskClaim } from "../fleet/claim.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import type { WorkTask } from "../tasks/task-graph.ts";
import { firstNames } from "../text/first-names.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

/** Characters of the failing tests' names. */
const NAMED_CHARS = 200;
/** Branches named for each reason. */
const MOST_NAMES = 4;

/** Why a swarm ends, or a worker of it. */
export type SwarmEnd = { reason: StopReason; sentence: string };

type Standstill = {
  tasks: readonly WorkTask[];
  claims: ReadonlyMap<string, TaskClaim>;
  /** The first worker's end, if none takes any more. */
  failed: SwarmEnd | null;
  /** What the newest landing left, and why. */
  left: readonly { name: string; why: string }[];
};

/** The end of a swarm in which nobody is at work, and nobody can begin. */
export function swarmEnd({ tasks, claims, failed, left }: Standstill): SwarmEnd {
  const back = tasks.filter(({ done, held }) => !done && held !== undefined).length;
  const open = tasks.filter(({ done, held }) => !done && held === undefined);
  const own = tasks.length - back;
  const all = own === 1 ? "The task is" : `All ${own} tasks are`;
  const rest = back === 0 ? "" : ` The list keeps back ${back === 1 ? "one" : back}.`;
  if (open.length === 0) return { reason: "plan_complete", sentence: `${all} done and landed.${rest}` };
  if (failed !== null) return failed;
  const parked = open.filter(({ id }) => claims.get(id)?.state === "parked");
  if (parked.length > 0)
    return {
      reason: "waits_for_answer",
      sentence: `${open.length === 1 ? "The open task" : `${parked.length} of ${open.length} open tasks`} ${parked.length === 1 ? "waits" : "wait"} for a person's answer.`,
    };
  const are = open.length === 1 ? "One task is" : `${open.length} tasks are`;
  const why = reasons(left);
  return { reason: "not_all_landed", sentence: `${are} not landed${why === "" ? "" : `: ${why}`}.` };
}

/** The end of a swarm that is cut short, with what waits for a landing: to land it makes no call. */
export function cutShort(end: SwarmEnd, claims: Iterable<TaskClaim>): SwarmEnd {
  const handedIn = [...claims].flatMap(({ state, text }) => (state === "handed_in" ? [singleLine(text)] : []));
  if (handedIn.length === 0) return end;
  return { ...end, sentence: `${end.sentence} Handed in, and not landed yet: ${firstNames(handedIn, MOST_NAMES)}.` };
}

/** `a, b: it conflicts; c: its gates are red`: what holds one up mostly holds up others too. */
function reasons(left: Standstill["left"]): string {
  const whys = [...new Set(left.map(({ why }) => why))];
  const namesOf = (why: string) => left.filter((one) => one.why === why).map(({ name }) => name);
  return whys.map((why) => `${firstNames(namesOf(why), MOST_NAMES)}: ${why.replace(/\.$/, "")}`).join("; ");
}

/** The end of a swarm that does not begin: a worker's task is done when the gates are green, and on that target they are not. */
export function redTargetEnd(gate: GateRecord, target: string): SwarmEnd {
  const what = gate.hidden === undefined ? `\`${gate.command}\`` : gate.command;
  const { failing = [] } = gate;
  const named = failing.length === 0 ? "" : ` (${truncate(failing.map(singleLine).join(", "), NAMED_CHARS)})`;
  return {
    reason: "not_all_landed",
    sentence: `The gates of ${target} are red before anybody began: ${what} ${describeGateExit(gate)}${named}. No worker could hand in one task of several, so none was begun. Mend ${target} first, skip the tests of open tasks, or do the plan with one \`ralph run\`.`,
  };
}
