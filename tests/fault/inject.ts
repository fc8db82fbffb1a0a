/**
 * Strikes the real program at one of its own system calls, from outside and without a change to it: strace counts the calls of
 * its main thread, where it writes, and kills it before the nth, or makes the nth fail.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Project } from "../e2e/support/harness.ts";
import { seed } from "../seed.ts";

/** The nth call of this name. */
export type Point = { call: string; nth: number; path: string };

/** What changes the disk or starts a process; `openat` counts only where it opens for writing. */
export const CHANGES =
  "pwrite64,write,rename,renameat,renameat2,link,linkat,symlink,unlink,unlinkat,rmdir,mkdir,ftruncate,openat,open,fchmod,chmod,bind,vfork";
/** What only looks at the disk. */
export const LOOKS = "statx,newfstatat,openat,access,readlink,getdents64,pread64";
const WRITES_FILE = /^(?:pwrite64|write)\(\d+<\//;
const READS = /O_RDONLY|O_PATH/;

/** Whether programs can be traced here: strace is there and the system lets it. */
export const canInject =
  process.platform === "linux" &&
  Bun.which("strace") !== null &&
  Bun.spawnSync(["strace", "-o", "/dev/null", "true"]).exitCode === 0;

/** The words before ralph that strike at a point. @param what in strace's words: `signal=SIGKILL`, `error=ENOSPC` */
export function strikingAt({ call, nth }: Point, what: string, onwards = false): string[] {
  // -DD: the tracer is no parent of ralph and not of its process group, so that exit codes and signals are ralph's own.
  const words = ["strace", "-DD", "-qqq", "-o", "/dev/null", "-e", `trace=${call}`];
  return [...words, "-e", `inject=${call}:${what}:when=${nth}${onwards ? "+" : ""}`];
}

/** Every point at which a command changes the disk or starts a process, in order. */
export const pointsOf = (at: Project, argv: readonly string[]) =>
  pointsUnder((wrapper) => at.startUnder(wrapper, ...argv).ended);

/** Every point at which a command only looks at a file or folder of its project, in order. */
export async function looksOf(at: Project, argv: readonly string[]): Promise<Point[]> {
  const calls = await callsUnder(LOOKS, (wrapper) => at.startUnder(wrapper, ...argv).ended);
  return calls.filter(({ path, line }) => path.startsWith(at.dir) && (!line.startsWith("open") || READS.test(line)));
}

/** The same of any program. @param run runs it behind the words of a wrapper */
export async function pointsUnder(run: (wrapper: readonly string[]) => Promise<unknown>): Promise<Point[]> {
  const calls = await callsUnder(CHANGES, run);
  return calls.filter(({ call, line }) => {
    if (call.startsWith("open")) return !READS.test(line);
    return !call.endsWith("write") || WRITES_FILE.test(line);
  });
}

/** Every one of these system calls that a program's main thread makes, in order. */
async function callsUnder(
  names: string,
  run: (wrapper: readonly string[]) => Promise<unknown>,
): Promise<(Point & { line: string })[]> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-trace-"));
  const file = join(folder, "trace");
  // Without -DD strace ends after ralph, so the trace is whole.
  await run(["strace", "-qqq", "-y", "-o", file, "-e", `trace=${names}`]);
  const counts = new Map<string, number>();
  const points: (Point & { line: string })[] = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const call = /^(\w+)\(/.exec(line)?.[1];
    if (call === undefined) continue;
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    points.push({ call, nth, line, path: (/"(\/[^"]*)/.exec(line) ?? /<(\/[^>]*)/.exec(line))?.[1] ?? "" });
  }
  rmSync(folder, { recursive: true });
  return points;
}

/** Numbers in [0, 1) that a seed decides. */
export function chances(): () => number {
  let at: number = seed;
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return at / 2 ** 32;
  };
}

/** How many instants and points are tried beyond those that always are; `npm run crash -- --instants N` asks for more. */
export const INSTANTS = Number(process.env.RALPH_INSTANTS ?? 40);

/** What a disk may answer, and how ralph names it. */
export const FAULTS = [
  { code: "ENOSPC", says: /disk is full/i },
  { code: "EIO", says: /disk fails to read or write/i },
  { code: "EACCES", says: /permission (?:is )?denied/i },
  { code: "EROFS", says: /read-only/i },
] as const;
/** Whether every point meets every fault, not only one in turn. */
export const EVERY_FAULT = INSTANTS >= 300;
export const faultOf = (nth: number): (typeof FAULTS)[number] => FAULTS[nth % FAULTS.length] ?? FAULTS[0];

/** Some of many, spread at random by the seed. */
export function someOf<T>(all: readonly T[], count: number): T[] {
  const chance = chances();
  let [left, wanted] = [all.length, count];
  return all.filter(() => {
    const taken = chance() < wanted / left;
    left -= 1;
    if (taken) wanted -= 1;
    return taken;
  });
}

export const LANES = 3;
/** Only a few at once: more would slow the machine down and delay what strikes. */
export async function inLanes<T>(
  items: readonly T[],
  action: (item: T) => Promise<void>,
  lanes = LANES,
): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await action(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
