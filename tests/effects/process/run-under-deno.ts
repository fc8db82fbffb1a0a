// Run by Deno (process-deno.test.ts): the essentials of process control, as one JSON line.
import process from "node:process";
import { isAlive } from "../../../src/effects/process-tree/process-tree.ts";
import { runAgent, sh } from "./run-agent.ts";

const stop = new AbortController();
const missing = await runAgent({ argv: ["ralph-no-such-program"] });
const huge = await runAgent({ argv: ["/bin/true", "x".repeat(200_000)] });
const failed = await runAgent(sh("wc -c; echo why >&2; exit 7", "x".repeat(300_000)));
const killed = await runAgent(sh("kill -KILL $$"));
const refusing = await runAgent(sh("exec <&-; echo fine", "x".repeat(300_000)));
const stopped = await runAgent(sh("trap '' TERM; sleep 300 & echo $!; while :; do sleep 0.01; done"), {
  signal: stop.signal,
  graceMs: 50,
  onLines: () => stop.abort(),
});
const holding = await runAgent(sh("sleep 300 & echo $!"));
// On macOS it can be found only in its group.
const leaves = process.platform === "linux" ? "setsid env -i" : "env -i";
const bare = await runAgent(sh(`${leaves} /bin/sh -c 'sleep 300 >/dev/null 2>&1 & echo $!'; :`));
const flood = await runAgent(sh("head -c 20000000 /dev/zero | tr '\\0' x; echo; echo end"));
process.stdout.write(
  JSON.stringify({
    missing: [missing.outcome, missing.spawnError],
    huge: [huge.outcome, huge.spawnError],
    failed: [failed.outcome, failed.exitCode, Number(failed.lines[0]), failed.stderrTail],
    killed: [killed.outcome, killed.exitCode, killed.signal],
    refusing: [refusing.outcome, refusing.lines],
    stopped: [stopped.outcome, stopped.signal, isAlive(Number(stopped.lines[0]), null)],
    holding: [holding.outcome, holding.leftovers.length, isAlive(Number(holding.lines[0]), null)],
    bare: [bare.outcome, bare.leftovers.length, isAlive(Number(bare.lines[0]), null)],
    flood: [flood.outcome, flood.lines.map((line) => line.length)],
  }),
);
