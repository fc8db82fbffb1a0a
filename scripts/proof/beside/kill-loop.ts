import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as nap } from "node:timers/promises";
import { isTrulyDone } from "../project.ts";
import { endAll, processesOf, signal, type What } from "./left-over.ts";
import { ended, inProject, type Places, type RunOf } from "./run-loop.ts";
import { readState } from "./state.ts";

/** How a loop is ended while its agent works: as users, terminals, services and the kernel do. */
export const HOWS = ["Ctrl+C twice", "terminal closed", "TERM", "KILL"] as const;
export type How = (typeof HOWS)[number];

/** What was left of one loop, and what became of its work. */
export type KillEnd = {
  how: How;
  /** What still ran some seconds later. */
  left: What[];
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
export function killLoop(run: RunOf, places: Places, how: How, leftMs = LEFT_MS): Promise<KillEnd> {
  return inProject(run, places, async ({ folder, file, root, argv, env }) => {
    writeFileSync(`${file}.hang`, "");
    const [name = "", ...words] = argv;
    const child = spawn(name, words, { cwd: root, env, detached: true, stdio: "ignore" });
    if (!(await within(BEGINS_MS, () => existsSync(`${file}.hung`)))) {
      endAll(folder);
      return { how, left: [], again: null };
    }
    await kill(child, how);
    await within(leftMs, () => processesOf(folder).length === 0);
    const left = [...new Set(processesOf(folder).map(({ what }) => what))].sort();
    endAll(folder);
    rmSync(`${file}.hang`);
    const { exitCode, output, cut } = await ended(argv, root, env);
    const { project, memory } = readState(file);
    const saidDone = !cut && run.loop.saidDone(exitCode, output);
    return { how, left, again: { saidDone, trulyDone: isTrulyDone(project), calls: memory.calls } };
  });
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

async function within(ms: number, isSo: () => boolean): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await nap(LOOK_MS)) if (isSo()) return true;
  return isSo();
}
