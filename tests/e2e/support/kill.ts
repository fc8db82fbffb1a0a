import { spawnSync } from "node:child_process";
import type { Live } from "./harness.ts";

/** Kills a ralph together with its guardian, as a system does that ends everything it finds. */
export async function killWithGuardian(live: Pick<Live, "pid" | "kill"> & { ended: Promise<unknown> }): Promise<void> {
  // Suspended, it starts no other guardian.
  live.kill("SIGSTOP");
  const table = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).stdout;
  const guardian = new RegExp(`^ *(\\d+) +${live.pid} .*ralph-guardian`, "m").exec(
    table.replace(/\n(?! *\d+ +\d+ )/g, " "),
  );
  if (guardian?.[1] === undefined) throw new Error(`no guardian of ${live.pid}`);
  process.kill(Number(guardian[1]), "SIGKILL");
  live.kill("SIGKILL");
  await live.ended;
}
