import { table } from "../../lib/docs/table.ts";
import { HOWS, type KillEnd } from "../beside/kill-loop.ts";
import type { Kills } from "../beside/kills.ts";

/** What was left of each loop, and what became of the work. */
export function killsSection({ tasks, rows }: Kills): string[] {
  return [
    "## Ended in the middle of a call",
    "",
    `The agent has done the first of ${tasks} tasks and not yet said so; a command of it runs, and a server that it left in the background, in a`,
    "session of its own. Then the loop is ended, and after ten seconds this is what still runs. At last it is started again, with an agent",
    `that is always right: a loop that loses nothing needs ${tasks - 1} more calls. One run each, of the program that a user starts. A key and a`,
    "closed terminal are the signal to its process group, TERM and KILL to that program alone.",
    "",
    table(
      ["loop", ...HOWS, "started again after KILL"],
      rows.map(({ loop, ends }) => [loop, ...HOWS.map((how) => left(of(ends, how))), again(of(ends, "KILL"))]),
    ),
    "",
  ];
}

function of(ends: readonly KillEnd[], how: KillEnd["how"]): KillEnd | undefined {
  return ends.find((end) => end.how === how);
}

function left(end: KillEnd | undefined): string {
  if (end === undefined || end.again === null) return "its call never began";
  return end.left.length === 0 ? "nothing" : end.left.join(", ");
}

function again(end: KillEnd | undefined): string {
  if (end === undefined || end.again === null) return "-";
  const { saidDone, trulyDone, calls } = end.again;
  return `${saidDone ? "done" : "not done"}, ${trulyDone ? "right" : "wrong"}, ${calls - 1} more calls`;
}
