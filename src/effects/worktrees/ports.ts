/** Which worktree has which ports: a file for each block of them in the user's own folder, for all projects. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { HOUR_MS } from "../../core/durations.ts";
import { RalphError } from "../../core/errors.ts";
import { isRecord, str } from "../../core/json-value.ts";
import type { Host } from "../../driver.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { takeLock } from "../journal/lock.ts";
import { startTimeOf } from "../process-tree/process-tree.ts";
import { stateFolder } from "../user/home.ts";

/** Ports of a worktree. */
export const PORTS_EACH = 10;
/** Below those that systems give to outgoing connections (Linux from 32768, others from 49152), above those of known services. */
const FIRST = 20_000;
const BLOCKS = 1000;
const WAIT_MS = 5000;
const LOOK_MS = 20;

type User = Pick<Host, "platform" | "env" | "home">;

/**
 * The first of a worktree's own ports: the same each time, and as long as it exists no other's of this user.
 * @param root of the checkout
 * @throws RalphError `environment` if none is free, or the user's folder is not writable
 */
export async function claimPorts(root: string, user: User): Promise<number> {
  const folder = portsFolder(user);
  makePrivateFolder(folder);
  const release = await lockPorts(join(folder, "lock"));
  try {
    const blocks = heldPorts(folder);
    const known = blocks.find((block) => block.root === root);
    if (known !== undefined) return known.base;
    const held = new Map(blocks.map((block) => [block.base, block]));
    const begin = createHash("sha256").update(root).digest().readUInt32BE(0) % BLOCKS;
    for (let step = 0; step < BLOCKS; step += 1) {
      const base = FIRST + ((begin + step) % BLOCKS) * PORTS_EACH;
      if (held.get(base)?.isFree === false) continue;
      writeFileAtomic(join(folder, `${base}.json`), `${JSON.stringify({ root })}\n`);
      return base;
    }
  } finally {
    release();
  }
  throw new RalphError("environment", `All ${BLOCKS} blocks of ports are taken by worktrees.`, {
    hint: "Remove some that have landed: ralph worktrees",
  });
}

/** Gives a worktree's ports back. */
export function freePorts(root: string, user: User): void {
  const folder = portsFolder(user);
  for (const { base, root: holder } of heldPorts(folder))
    if (holder === root) rmSync(join(folder, `${base}.json`), { force: true });
}

/** `isFree`: its worktree was deleted by hand. One that is being made claims its ports first. */
type Block = { base: number; root: string; isFree: boolean };

function heldPorts(folder: string): Block[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+\.json$/.test(name)) : [];
  return names.flatMap((name) => {
    const path = join(folder, name);
    const block = readJson(path);
    const root = isRecord(block) ? str(block.root) : null;
    const made = root === null ? undefined : statSync(path, { throwIfNoEntry: false });
    if (root === null || made === undefined) return []; // given back just now, or not written by ralph
    const isFree = !existsSync(root) && Date.now() - made.mtimeMs > HOUR_MS;
    return [{ base: Number.parseInt(name, 10), root, isFree }];
  });
}

async function lockPorts(path: string): Promise<() => void> {
  const me = { pid: process.pid, startTime: startTimeOf(process.pid), run: "ports" };
  for (const end = Date.now() + WAIT_MS; ; await sleep(LOOK_MS)) {
    const lock = takeLock(path, me);
    if (lock.held) return lock.release;
    if (Date.now() >= end)
      throw new RalphError("environment", `The ports of worktrees are locked by another ralph: ${path}`, {
        hint: "Try again.",
      });
  }
}

function portsFolder(user: User): string {
  return join(stateFolder(user), "ports");
}
