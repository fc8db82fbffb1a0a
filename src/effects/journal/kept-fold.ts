/** What the journal of an ended run comes to, kept beside it: reading a long one takes seconds, and each start asks for it. */
import type { Hash } from "node:crypto";
import { closeSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseState } from "../../core/journal/event-schema.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { upgradeState } from "../../core/journal/upgrade-state.ts";
import { PRIVATE_FILE } from "../files/private.ts";
import { openRegular, readRegularIfThere, writeNewFile } from "../files/regular-file.ts";
import { JOURNAL_FILE } from "./journal-read.ts";

const FOLD_FILE = "fold.json";
const READ_BYTES = 1 << 20;
/**
 * A shorter journal is understood in the time that it takes to load what hashes it and checks what was kept. Measured in a start, which
 * is interpreted: equal at 16 kB, 1.6 ms of 17 saved at 41 kB.
 */
const WORTH_BYTES = 24 * 1024;

/**
 * Keeps it. It is made anew from the journal wherever it is missing, so one that cannot be written costs nothing else.
 * @param dir the run's folder
 * @param journal SHA-256 of all bytes of the journal, as hex
 * @param state what folding them gives
 */
export function keepFold(dir: string, journal: string, state: State): void {
  const text = JSON.stringify(state);
  const path = join(dir, FOLD_FILE);
  try {
    rmSync(path, { force: true });
    // Under its own name at once: what a kill leaves of it has no seal that holds, and nobody would clear up another name.
    writeNewFile(path, `${sealOf(state.version, journal, text)}\n${text}\n`, PRIVATE_FILE);
  } catch {
    // A full disk, or a folder that is gone: the next start reads the journal.
  }
}

/**
 * The state that was kept; null where there is none that holds: for this very journal and this version. The journal is read byte for
 * byte, but not understood.
 * @param version of this program
 * @param least bytes of a journal that is worth it
 */
export function readKeptFold(dir: string, version: string, least = WORTH_BYTES): State | null {
  try {
    if (statSync(join(dir, JOURNAL_FILE)).size < least) return null;
    const kept = readRegularIfThere(join(dir, FOLD_FILE))?.toString("utf8");
    if (kept === undefined) return null;
    const [seal, text = ""] = kept.split("\n");
    if (seal !== sealOf(version, hashOf(join(dir, JOURNAL_FILE)), text)) return null;
    // The seal has no key: one that came with a clone may hold anything.
    const state = parseState(text);
    return state === null ? null : { ...initialState(""), ...upgradeState(state) };
  } catch {
    return null; // whoever reads the journal then meets what is wrong with it
  }
}

/** Another version may fold the same journal to something else. */
function sealOf(version: string, journal: string, text: string): string {
  return sha256().update(`${version}\n${journal}\n${text}`).digest("hex");
}

/** Loaded by whoever has something to hash: `ralph status` mostly has not. */
function sha256(): Hash {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

function hashOf(path: string): string {
  const fd = openRegular(path, "read");
  try {
    const hash = sha256();
    const bytes = Buffer.allocUnsafe(READ_BYTES);
    for (let read = -1; read !== 0; ) {
      read = readSync(fd, bytes, 0, bytes.length, null);
      hash.update(bytes.subarray(0, read));
    }
    return hash.digest("hex");
  } finally {
    closeSync(fd);
  }
}
