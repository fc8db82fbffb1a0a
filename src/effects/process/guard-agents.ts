import type { Readable } from "node:stream";
import { endProcesses } from "../process-tree/end-processes.ts";

/** ms between TERM and KILL: the whole tree is to be gone two seconds after ralph. */
const GRACE_MS = 500;

/**
 * What `templates/guardian.sh` does, for systems without a shell: reads there what is open, and ends it once the pipe closes.
 * @returns the pids of the ended processes
 */
export async function guardAgents(input: Readable): Promise<number[]> {
  const open = new Map<string, number>();
  let rest = "";
  input.setEncoding("utf8");
  for await (const chunk of input) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [word, marker = "", , pid = "0"] = line.split(" ");
      if (word === "end") open.delete(marker);
      else open.set(marker, Number(pid));
    }
  }
  const ended = await Promise.all(
    [...open].map(([marker, pid]) => endProcesses({ pid, group: pid, startTime: null, marker, graceMs: GRACE_MS })),
  );
  return ended.flat();
}
