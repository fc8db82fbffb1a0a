import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder, PRIVATE_FOLDER } from "../files/private.ts";
import { MAX_TEXT_BYTES, openRegular, readRegularItself } from "../files/regular-file.ts";
import { statThere } from "../files/stat-there.ts";

/** How often what the agent has written shows outside while it works, in ms: boxes are ticked before people's eyes. */
const EVERY_MS = 1000;

/**
 * What a sandboxed agent has in place of `.ralph`: a folder of its own with its plan, in which it may replace it as its tools do
 * (a new file, then a rename). In the real folder it could lay a link in the way of what ralph writes there.
 *
 * While the agent works, any name in the room may be another thing at each moment. So ralph makes every file beside the room, where
 * the agent cannot, and renames it in; it makes nothing in the room but what must be new, follows no link there, goes into no
 * folder, and deletes nothing but single names. The room itself is no name that the agent could change.
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
  /** The real `.ralph`: something stands in the room for each of its files and folders, to mount it on. */
  outside: string;
  /** Folder for the user's edit of a file that the agent replaced at the same time, and for what it left. */
  keep: string;
};

export function createWorkRoom({ folder, files, outside, keep }: WorkRoomOptions): WorkRoom {
  /** What both sides had last, one file by two names where the disk has links: who has another has replaced it. */
  const shared = new Map<string, Shared>();
  const within = (name: string) => join(folder, name);
  let timer: ReturnType<typeof setInterval> | null = null;
  let standIns: readonly string[] = [];
  let moved = 0;
  const told = new Set<string>();
  const made = () => readdirSync(folder).filter((name) => !standIns.includes(name));

  /** Puts the file of outside in, in one step. */
  function bringIn(file: string): void {
    const fresh = join(dirname(folder), `${basename(folder)}-${basename(file)}.new`);
    rmSync(fresh, { force: true });
    const isLinked = linkOrCopy(file, fresh);
    const inside = lstatSync(fresh);
    renameSync(fresh, within(basename(file)));
    // Two names of one file stay both.
    rmSync(fresh, { force: true });
    shared.set(file, { inside, outside: lstatSync(file), isLinked });
  }

  function exchange(file: string): void {
    const had = shared.get(file);
    const inside = statThere(within(basename(file)), lstatSync);
    const there = statThere(file, lstatSync);
    if (had === undefined || inside?.isFile() !== true || there?.isFile() !== true) return;
    const byUser = !isSame(there, had.outside, had.isLinked);
    if (isSame(inside, had.inside, had.isLinked)) {
      if (byUser) bringIn(file);
      return;
    }
    const text = readRegularItself(within(basename(file)), MAX_TEXT_BYTES);
    if (byUser) {
      makePrivateFolder(keep);
      copyFileSync(file, join(keep, `${basename(file)}.yours-${Date.now()}`), constants.COPYFILE_EXCL);
    }
    writeFileAtomic(file, text, there.mode & 0o777);
    // Should the agent be quicker than the next step, what was brought out is still not taken for the user's.
    shared.set(file, { inside, outside: lstatSync(file), isLinked: false });
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

  /** Gives what stands at a name another one in the room. */
  function displace(name: string): void {
    moved += 1;
    renameSync(within(name), within(`${name}.made-${moved}-${Date.now()}`));
  }

  /** Makes an empty file or folder to mount something of that kind on. What the agent laid there may lead the mount elsewhere. */
  function standIn(name: string, isFolder: boolean): void {
    const there = statThere(within(name), lstatSync);
    if (there !== null && (isFolder ? there.isDirectory() : there.isFile())) return;
    if (there !== null) displace(name);
    if (isFolder) mkdirSync(within(name), { mode: PRIVATE_FOLDER });
    else closeSync(openRegular(within(name), "create"));
  }

  return {
    folder,
    open() {
      makePrivateFolder(folder);
      for (const file of files) {
        if (statThere(file)?.isFile() !== true) continue;
        if (statThere(within(basename(file)), lstatSync)?.isFile() === false) displace(basename(file));
        bringIn(file);
      }
      const ours = readdirSync(outside, { withFileTypes: true }).filter(
        (entry) => entry.isFile() || entry.isDirectory(),
      );
      for (const entry of ours) standIn(entry.name, entry.isDirectory());
      standIns = [...new Set([...standIns, ...ours.map(({ name }) => name)])];
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
      for (const name of readdirSync(folder)) {
        const isShared = files.some((file) => basename(file) === name);
        if (!removeEmpty(within(name), isShared)) moveOut(within(name), keep);
      }
      try {
        rmdirSync(folder);
      } catch {
        // Something in it cannot be moved: it stays where it is.
      }
    },
  };
}

/** Keeps what the agent made, in one step: nobody goes into its folders, whose links lead anywhere. */
function moveOut(path: string, keep: string): void {
  makePrivateFolder(keep);
  try {
    renameSync(path, join(keep, `${basename(path)}.made-${Date.now()}`));
  } catch {
    // A folder that its owner may not write to.
  }
}

/** Removes a stand-in. @param isShared the same file is outside, with its text @returns whether it is gone */
function removeEmpty(path: string, isShared: boolean): boolean {
  const stat = lstatSync(path);
  try {
    if (stat.isDirectory()) rmdirSync(path);
    else if (stat.isFile() && (isShared || stat.size === 0)) unlinkSync(path);
    else return false;
    return true;
  } catch {
    return false; // a folder with something in it
  }
}

/** @returns whether it is one file by two names */
function linkOrCopy(file: string, to: string): boolean {
  try {
    linkSync(file, to);
    return true;
  } catch {
    copyFileSync(file, to, constants.COPYFILE_EXCL); // another disk, or one without links
    return false;
  }
}

/** Whether a side still has the file that it had, in whatever state; a copy also counts as another once it is written. */
function isSame(now: Stats, had: Stats, isLinked: boolean): boolean {
  if (now.dev !== had.dev || now.ino !== had.ino) return false;
  return isLinked || (now.mtimeMs === had.mtimeMs && now.size === had.size);
}
