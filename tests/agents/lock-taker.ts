// Takes the lock at argv[2] again and again, argv[3] times in all, and prints how often two programs held it at once.
// Half of the times it "dies" with it: what is left is the lock of a process that never was.
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { renameOver } from "../../src/effects/files/atomic-write.ts";
import { takeLock } from "../../src/effects/journal/lock.ts";
import { startTimeOf } from "../../src/effects/process-tree/process-tree.ts";

const path = process.argv[2] ?? "";
const info = { pid: process.pid, startTime: startTimeOf(process.pid), run: `taker ${process.pid}` };
const dead = {
  pid: 2 ** 22 + 1,
  start_time: "long-ago:1",
  run: "dead",
  host: hostname(),
  since: "2026-01-01T00:00:00.000Z",
};
let broken = 0;
for (let taken = 0; taken < Number(process.argv[3]); ) {
  const lock = takeLock(path, info);
  if (!lock.held) continue;
  taken += 1;
  try {
    mkdirSync(`${path}.inside`);
  } catch {
    broken += 1;
    continue;
  }
  rmdirSync(`${path}.inside`);
  if (taken % 2 === 0) {
    lock.release();
    continue;
  }
  writeFileSync(`${path}.${process.pid}.dead`, JSON.stringify({ ...dead, run: `dead ${process.pid} ${taken}` }));
  renameOver(`${path}.${process.pid}.dead`, path);
}
process.stdout.write(`${broken}\n`);
