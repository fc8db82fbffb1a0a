import type { AgentEvent } from "../../src/driver.ts";
import type { Answer } from "./agent.ts";
import { chance } from "./chance.ts";
import type { Project, Task } from "./project.ts";
import { FRESH_TOKENS, usageOfCall } from "./usage.ts";

/**
 * A stranger who looks at finished work sees a task that is not what was asked for with the first chance, and takes one that is
 * right for a fault with the second (both chosen: nobody has published either).
 */
const SEES = 0.6;
const IMAGINES = 0.03;

const COMMAND = "node check.js";

/** What a look at the project answers: the first gap that the stranger sees, or none. */
export function look(project: Project, looks: number): Answer {
  const seen = gapSeen(project, looks);
  const gap = seen === null ? "NONE" : `COMMAND: ${COMMAND} ${seen}\nWHY: task ${seen} is not there`;
  const luck = chance(project.seed, "look", looks);
  const { usage } = usageOfCall({ context: FRESH_TOKENS, growth: 8_000, isFresh: true, luck });
  const text = `---RALPH_GAP---\n${gap}\n---END_RALPH_GAP---`;
  const events: AgentEvent[] = [
    { type: "usage", ...usage },
    { type: "finished", ok: true, text, duration_ms: null, cost_usd: null },
  ];
  const cost = usage.cost_usd ?? 0;
  const session = `look-${looks}`;
  return { session, events, exit: 0, ms: 90_000, hangs: false, limitedUntil: null, cost, finishedTask: false };
}

/** The number of the first task in which a stranger sees a gap; null for none. */
export function gapSeen({ seed, tasks }: Project, looks: number): number | null {
  return tasks.find((task) => chance(seed, "see", looks, task.number) < sharpness(task))?.number ?? null;
}

/** How the check of a gap ends and what it prints; null for any other command. */
export function runCheck({ tasks }: Project, command: string): { exit: number; output: string } | null {
  const number = command.startsWith(COMMAND) ? Number(command.slice(COMMAND.length)) : null;
  if (number === null) return null;
  const isRight = tasks.some((task) => task.number === number && task.truth === "right");
  return isRight ? { exit: 0, output: "" } : { exit: 1, output: `not ok: task ${number} does what was asked\n` };
}

function sharpness({ truth }: Task): number {
  return truth === "right" ? IMAGINES : SEES;
}
