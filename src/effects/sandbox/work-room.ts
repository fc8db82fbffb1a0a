import { copyFileSync, linkSync, lstatSync, readdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { MAX_TEXT_BYTES, readRegularItself } from "../files/regular-file.ts";
import { statThere } from "../files/stat-there.ts";

/** How often what the agent has written shows outside while it works, in ms: boxes are ticked before people's eyes. */
const EVERY_MS = 1000;

/**
 * What a sandboxed agent has in place of `.ralph`: a folder of its own with its plan, in which it may replace it as its tools do
 * (a new file, then a rename). In the real folder it could lay a link in the way of what ralph writes there.
 */
export type WorkRoom = {
  folder: string;
  /** Before a call: its files are as they are outside. @returns the names of what is in `.ralph` */
  open(): readonly string[];
  /** After it. @returns what the agent made there and nobody outside sees, each once; tools' own files, with a dot, untold */
  shut(): string[];
  /** When nothing of the run is inside any more: keeps what the agent made there. */
  remove(): void;
};

type Shared = { inside: Stats; outside: Stats; isLinked: boolean };

export type WorkRoomOptions = {
  /** Made with the first call; on the same disk as the files, or they are copied. */
  folder: string;
  /** Absolute paths of the plan and the agent file, as far as they lie directly in `.ralph`. */
  files: readonly string[];
  /** The names in `.ralph`: something stands for each of them in the folder, to mount it on. */
  names(): readonly string[];
  /** Folder for the user's edit of a file that the agent replaced at the same time, and for what it left. */
  keep: string;
};

export function createWorkRoom({ folder, files, names, keep }: WorkRoomOptions): WorkRoom {
  /** What both sides had last, one file by two names where the disk has links: who has another has replaced it. */
  const shared = new Map<string, Shared>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let standIns: readonly string[] = [];
  const told = new Set<string>();
  const made = () => readdirSync(folder).filter((name) => !standIns.includes(name));

  /** Puts the file of outside in, in one step. */
  function bringIn(file: string): void {
    const [inside, fresh] = [join(folder, basename(file)), join(folder, `.${basename(file)}.new`)];
    rmSync(fresh, { recursive: true, force: true });
    const isLinked = linkOrCopy(file, fresh);
    if (statThere(inside, lstatSync)?.isFile() === false) rmSync(inside, { recursive: true, force: true });
    renameSync(fresh, inside);
    // Two names of one file stay both.
    rmSync(fresh, { force: true });
    shared.set(file, { inside: lstatSync(inside), outside: lstatSync(file), isLinked });
  }

  function exchange(file: string): void {
    const had = shared.get(file);
    const inside = statThere(join(folder, basename(file)), lstatSync);
    const outside = statThere(file, lstatSync);
    if (had === undefined || inside?.isFile() !== true || outside?.isFile() !== true) return;
    const byUser = !isSame(outside, had.outside, had.isLinked);
    if (isSame(inside, had.inside, had.isLinked)) {
      if (byUser) bringIn(file);
      return;
    }
    const text = readRegularItself(join(folder, basename(file)), MAX_TEXT_BYTES);
    if (byUser) {
      makePrivateFolder(keep);
      copyFileSync(file, join(keep, `${basename(file)}.yours-${Date.now()}`));
    }
    writeFileAtomic(file, text, outside.mode & 0o777);
    bringIn(file);
  }

  function exchangeAll(): void {
    for (const file of files) {
      try {
        exchange(file);
      } catch {
        // It is in the middle of being written on one of the sides: the next look finds it whole.
      }
    }
  }

  return {
    folder,
    open() {
      makePrivateFolder(folder);
      for (const file of files) if (statThere(file)?.isFile() === true) bringIn(file);
      standIns = [...new Set([...standIns, ...names()])];
      timer = setInterval(exchangeAll, EVERY_MS).unref();
      return standIns;
    },
    shut() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      exchangeAll();
      const fresh = made().filter((name) => !name.startsWith(".") && !told.has(name));
      for (const name of fresh) told.add(name);
      return fresh.map((name) => `.ralph/${name} (only its sandbox has it; at the end it is kept in the run's folder)`);
    },
    remove() {
      const left = made();
      if (left.length > 0) makePrivateFolder(keep);
      for (const name of left) renameSync(join(folder, name), join(keep, `${name}.made-${Date.now()}`));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @returns whether it is one file by two names */
function linkOrCopy(file: string, to: string): boolean {
  try {
    linkSync(file, to);
    return true;
  } catch {
    copyFileSync(file, to); // another disk, or one without links
    return false;
  }
}

/** Whether a side still has the file that it had, in whatever state; a copy also counts as another once it is written. */
function isSame(now: Stats, had: Stats, isLinked: boolean): boolean {
  if (now.dev !== had.dev || now.ino !== had.ino) return false;
  return isLinked || (now.mtimeMs === had.mtimeMs && now.size === had.size);
}
