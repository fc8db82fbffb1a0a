import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as nap } from "node:timers/promises";
import { isTrulyDone } from "../project.ts";
import { discard, ended, type Places, type Prepared, prepare, type RunOf } from "./run-loop.ts";
import { readState } from "./state.ts";

/** How a loop is ended while its agent works: as users, terminals, services and the kernel do. */
export const HOWS = ["Ctrl+C twice", "terminal closed", "TERM", "KILL"] as const;
export type How = (typeof HOWS)[number];

/** What was left of one loop, and what became of its work. */
export type KillEnd = {
  how: How;
  /** What still ran some seconds later. */
  left: ("loop" | "agent" | "its command" | "its server")[];
  /** Started again, with an agent that is always right; null where the call never began. */
  again: { saidDone: boolean; trulyDone: boolean; calls: number } | null;
};

const BEGINS_MS = 60_000;
const LEFT_MS = 10_000;
const SECOND_PRESS_MS = 1_000;
const LOOK_MS = 100;

/**
 * Starts a loop, ends it while its first call works, looks what is left, and starts it again.
 * @param leftMs what ends by itself within so many milliseconds is not left
 */
export async function killLoop(run: RunOf, places: Places, how: How, leftMs = LEFT_MS): Promise<KillEnd> {
  const prepared = prepare(run, places);
  try {
    const { file, root, argv, env } = prepared;
    writeFileSync(`${file}.hang`, "");
    const [name = "", ...words] = argv;
    const child = spawn(name, words, {
      cwd: root,
      env: { ...env, ...markOf(prepared) },
      detached: true,
      stdio: "ignore",
    });
    if (!(await within(BEGINS_MS, () => existsSync(`${file}.hung`)))) {
      endAll(prepared);
      return { how, left: [], again: null };
    }
    await kill(child, how);
    await within(leftMs, () => processesOf(prepared).length === 0);
    const left = [...new Set(processesOf(prepared).map(({ what }) => what))].sort();
    endAll(prepared);
    rmSync(`${file}.hang`);
    const { exitCode, output, cut } = await ended(argv, root, env);
    const { project, memory } = readState(file);
    const saidDone = !cut && run.loop.saidDone(exitCode, output);
    return { how, left, again: { saidDone, trulyDone: isTrulyDone(project), calls: memory.calls } };
  } finally {
    endAll(prepared);
    discard(prepared);
  }
}

/** A key or a terminal reaches the whole group; a service manager and the kernel end one process. */
async function kill({ pid = 0 }: ChildProcess, how: How): Promise<void> {
  if (how === "TERM") return signal(pid, "SIGTERM");
  if (how === "KILL") return signal(pid, "SIGKILL");
  if (how === "terminal closed") return signal(-pid, "SIGHUP");
  signal(-pid, "SIGINT");
  await nap(SECOND_PRESS_MS);
  signal(-pid, "SIGINT");
}

/** It may be gone by then. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

type Found = { pid: number; what: KillEnd["left"][number] };

const markOf = ({ folder }: Prepared) => ({ RALPH_PROOF_OF: folder });

/** Everything that has the mark of this loop in its environment. Linux alone tells. */
function processesOf(prepared: Prepared): Found[] {
  const mark = `RALPH_PROOF_OF=${prepared.folder}\0`;
  return readdirSync("/proc").flatMap((name): Found[] => {
    if (!/^\d+$/.test(name) || !`${read(name, "environ")}\0`.includes(mark)) return [];
    const words = read(name, "cmdline");
    return [{ pid: Number(name), what: whatIs(words) }];
  });
}

function whatIs(words: string): Found["what"] {
  if (words.includes("900.1")) return "its command";
  if (words.includes("900.2")) return "its server";
  return words.includes("stand-in.ts") ? "agent" : "loop";
}

/** "" for what is gone, and for a process that nobody has waited for. */
function read(pid: string, name: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

function endAll(prepared: Prepared): void {
  for (const { pid } of processesOf(prepared)) signal(pid, "SIGKILL");
}

async function within(ms: number, isSo: () => boolean): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await nap(LOOK_MS)) if (isSo()) return true;
  return isSo();
}
