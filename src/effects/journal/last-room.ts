/** Room on the disk that a run holds for its last words: on a full one its journal could not say why it ended. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE } from "../files/private.ts";
import { writeNewFile } from "../files/regular-file.ts";

const ROOM_FILE = "room";
/** For the last lines of the journal and a dozen small files. */
const ROOM_BYTES = 96 * 1024;

/**
 * Takes the room, where there is any. What a kill left of an earlier one is used again.
 * @param dir the run's folder
 * @returns gives it back; may be called again
 */
export function holdRoom(dir: string): () => void {
  const path = join(dir, ROOM_FILE);
  const free = () => {
    try {
      rmSync(path, { force: true });
    } catch {
      // An agent put a folder there, or took the rights away: then the last words need room of their own.
    }
  };
  free();
  try {
    // Of zeros, btrfs and ZFS hold next to nothing where they compress.
    writeNewFile(path, randomBytes(ROOM_BYTES), PRIVATE_FILE);
  } catch {
    // The disk is full already. What it still had is held: then the run ends at its first line, while somebody looks, and not
    // some iterations later without a word.
  }
  return free;
}
