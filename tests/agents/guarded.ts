// Runs the program argv[3…] under a guardian (argv[2]: "script" or "program") and prints its pid. On a line on stdin it ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createGuardian, GUARDIAN_COMMAND } from "../../src/effects/process/guardian.ts";
import { createProcessPort } from "../../src/effects/process/run-process.ts";

const [how, ...argv] = process.argv.slice(2);
const main = join(import.meta.dirname, "../../src/main.ts");
const guardian = how === "script" ? createGuardian() : createGuardian([process.execPath, main, GUARDIAN_COMMAND]);
const dir = mkdtempSync(join(tmpdir(), "ralph-guarded-"));
const stop = new AbortController();
process.stdin.once("data", () => stop.abort());
await createProcessPort(undefined, null, guardian).run(
  { argv },
  {
    cwd: dir,
    env: { PATH: process.env.PATH ?? "" },
    stdoutFile: join(dir, "out"),
    stderrFile: join(dir, "err"),
    timeoutMs: 0,
    idleMs: 0,
    graceMs: 100,
    signal: stop.signal,
    marker: `guarded-${process.pid}`,
    onStart: ({ pid }) => process.stdout.write(`${pid}\n`),
    onLines: () => {},
    isFinished: () => false,
  },
);
rmSync(dir, { recursive: true });
process.exit(0);
