/** The only place that opens files for reading or appending: whatever stands at a path, ralph neither hangs on it nor swells. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  promises,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { UnfitFile } from "../../core/system-error.ts";
import { byteSize } from "../../core/text/byte-size.ts";
import { PRIVATE_FILE } from "./private.ts";

/** Most bytes of a settings file. */
export const MAX_SETTINGS_BYTES = 1 << 20;
/** Most bytes of a text that a person or an agent wrote to be read: a prompt, a plan, a spec. */
export const MAX_TEXT_BYTES = 8 << 20;
/** Most bytes of any other file that is read at once. */
export const MAX_FILE_BYTES = 512 << 20;

/** Opening a pipe does not wait for its other end, nor does a terminal become ours. Windows has neither flag. */
const CAUTIOUS = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const FLAGS = {
  read: constants.O_RDONLY,
  readItself: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0),
  update: constants.O_RDWR | (constants.O_NOFOLLOW ?? 0),
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
  append: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
  replace: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
} as const;

const READ_BYTES = 64 * 1024;

/**
 * Opens a regular file; links are followed, but for `readItself` and `update`.
 * @param how `update` changes an existing file, `create` makes a new one; `append` makes it if need be and can read it too;
 * `replace` makes or empties it
 * @param mode permissions of a new file, less what the umask takes; without it only this user may read it
 * @throws UnfitFile for a pipe, a device, a socket; else the file system's error
 */
export function openRegular(path: string | Buffer, how: keyof typeof FLAGS, mode = PRIVATE_FILE): number {
  return opened(path, how, mode).fd;
}

/**
 * The bytes of a regular file.
 * @param most bytes that it may have
 * @throws UnfitFile if it is larger, or no regular file; else the file system's error
 */
export function readRegular(path: string | Buffer, most = MAX_FILE_BYTES): Buffer {
  return readBy(path, "read", most);
}

/** As `readRegular`; null where nothing is, which costs one look and no error. */
export function readRegularIfThere(path: string | Buffer, most = MAX_FILE_BYTES): Buffer | null {
  const there = lookAt(path);
  return there === undefined ? null : readBy(path, "read", most, there);
}

/** As `readRegular`, of a path that is no link: whoever made it could lead ralph anywhere with one. @throws ELOOP for a link */
export function readRegularItself(path: string | Buffer, most = MAX_FILE_BYTES): Buffer {
  return readBy(path, "readItself", most);
}

/** The UTF-8 text of a regular file, as `readRegular` gives its bytes. */
export function readRegularText(path: string, most = MAX_TEXT_BYTES): string {
  return readRegular(path, most).toString("utf8");
}

/** A text of `/proc`, where nobody can put anything else: it needs none of the looks. @throws the file system's error */
export function readKernelText(path: `/proc/${string}`): string {
  // One byte a character: names of programs and environments may be no UTF-8.
  return readFileSync(path, "latin1");
}

/** Appends to a regular file; creates it if need be. @throws UnfitFile if it is none; else the file system's error */
export function appendRegular(path: string, text: string | Uint8Array): void {
  const fd = openRegular(path, "append");
  try {
    writeWhole(fd, text);
  } finally {
    closeSync(fd);
  }
}

/**
 * Appends a line, on a line of its own even where a full disk cut off the last one; creates the file if need be.
 * @param line ends in a newline
 * @throws UnfitFile if it is no regular file; else the file system's error
 */
export function appendLine(path: string, line: string): void {
  const { fd, stat } = opened(path, "append");
  try {
    const last = Buffer.alloc(1, "\n");
    if (stat.size > 0) readSync(fd, last, 0, 1, stat.size - 1);
    writeWhole(fd, last.toString() === "\n" ? line : `\n${line}`);
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes a file that is not there yet. `writeFileSync` of Bun sets its length first, which costs as much again (measured: 0.6 ms
 * instead of 0.3 ms on a loaded ext4).
 * @throws the file system's error: EEXIST for whatever is there, links too
 */
export function writeNewFile(path: string | Buffer, content: string | Uint8Array, mode: number): void {
  const fd = openNewFile(path, mode);
  try {
    writeWhole(fd, content);
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a regular file, as `readRegular` gives them, without holding up whatever else the program does, for files of which there are many. */
export async function readRegularLater(path: string, most = MAX_FILE_BYTES): Promise<Buffer> {
  mustBeFile(path, await promises.stat(path));
  const file = await promises.open(path, constants.O_RDONLY | CAUTIOUS);
  try {
    const stat = await file.stat();
    mustBeFile(path, stat);
    mustFit(path, stat.size, most);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Opens a file for writing that is not there yet. @throws the file system's error: EEXIST for whatever is there, links too */
export function openNewFile(path: string | Buffer, mode: number): number {
  return openSync(path, "wx", mode);
}

/** The whole content, at the place where the file stands: the system may take only a part of it at a time. @throws the file system's error */
export function writeWhole(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

function lookAt(path: string | Buffer): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function opened(
  path: string | Buffer,
  how: keyof typeof FLAGS,
  mode = PRIVATE_FILE,
  there = lookAt(path),
): { fd: number; stat: Stats } {
  // Even opening can do something to a device, so it is not opened to find out.
  if (there !== undefined) mustBeFile(path, there);
  const fd = openSync(path, FLAGS[how] | CAUTIOUS, mode);
  try {
    const stat = fstatSync(fd);
    mustBeFile(path, stat);
    return { fd, stat };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function readBy(path: string | Buffer, how: "read" | "readItself", most: number, there = lookAt(path)): Buffer {
  const { fd, stat } = opened(path, how, PRIVATE_FILE, there);
  try {
    return readWhole(fd, stat.size, path, most);
  } finally {
    closeSync(fd);
  }
}

/** Reads to the end: files of `/proc` state no size, and a file may grow meanwhile. */
function readWhole(fd: number, size: number, path: string | Buffer, most: number): Buffer {
  mustFit(path, size, most);
  // One byte more than there should be, so that one read shows the end.
  let bytes = Buffer.allocUnsafe(size === 0 ? READ_BYTES : size + 1);
  let done = 0;
  for (;;) {
    const read = readSync(fd, bytes, done, bytes.length - done, null);
    done += read;
    // A file that states its size gives less than was asked for only at its end.
    if (read === 0 || (done === size && size > 0)) return bytes.subarray(0, done);
    mustFit(path, done, most);
    if (done === bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length);
  }
}

function mustBeFile(path: string | Buffer, stat: Stats): void {
  if (stat.isFile()) return;
  // What the file system says of a folder that is read: callers know that error.
  if (stat.isDirectory())
    throw Object.assign(new Error("EISDIR: it is a folder, not a file"), { code: "EISDIR", path: String(path) });
  throw new UnfitFile("ENOTREGULAR", String(path), `it is ${kindOf(stat)}, not a file`);
}

function kindOf(stat: Stats): string {
  if (stat.isFIFO()) return "a named pipe";
  if (stat.isSocket()) return "a socket";
  return "a device";
}

function mustFit(path: string | Buffer, size: number, most: number): void {
  if (size <= most) return;
  throw new UnfitFile("ETOOLARGE", String(path), `it has ${byteSize(size)}, and ralph reads at most ${byteSize(most)}`);
}
