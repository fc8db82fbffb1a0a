/** The one server that a user has: a private file says where it listens, so that a second start finds the first. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { isRecord, str } from "../../core/json-value.ts";
import { nap } from "../clock.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { takeLock } from "../journal/lock.ts";
import { isAlive, startTimeOf } from "../process-tree/process-tree.ts";
import { stateFolder, type User } from "../user/home.ts";

const PATIENCE_MS = 2000;
/** A start takes a moment, and two seconds where it asks a server that does not answer. */
const START_MS = 10_000;
const LOOK_MS = 20;

/** The file holds no secret that opens the page: what an agent of the same user reads there lets it in nowhere. */
export type UiInstance = {
  port: number;
  pid: number;
  /** When the system started it; null where that is not known, and in files of earlier versions. */
  start_time: string | null;
  id: string;
  stop_key: string;
  /** Whether its page may change something. */
  control: boolean;
  /** Where other machines reach it; null where none does, and in files of earlier versions. */
  others: string | null;
  /** Null in files of earlier versions. */
  version: string | null;
};

/** The folder of the server's files. */
export function uiFolder(user: User): string {
  return join(stateFolder(user), "ui");
}

/** @throws the file system's error */
export function rememberInstance(user: User, instance: UiInstance): void {
  makePrivateFolder(uiFolder(user));
  writeFileAtomic(fileOf(user), `${JSON.stringify(instance)}\n`);
}

/** Takes the file away, unless another server has taken its place. */
export function forgetInstance(user: User, id: string): void {
  if (writtenInstance(user)?.id === id) rmSync(fileOf(user), { force: true });
}

/**
 * Lets one start at a time look whether a server runs, and become the one: of two servers only one would be known, and asked to
 * revoke a device.
 * @returns lets the next one look
 * @throws RalphError `environment` if another start does not get on, or the folder is not writable
 */
export async function takeStart(user: User): Promise<() => void> {
  const me = { pid: process.pid, startTime: startTimeOf(process.pid), run: "ui" };
  makePrivateFolder(uiFolder(user));
  for (let left = START_MS / LOOK_MS; ; left -= 1) {
    const lock = takeLock(join(uiFolder(user), "start.lock"), me);
    if (lock.held) return lock.release;
    if (left > 0) await nap(LOOK_MS);
    else
      throw new RalphError("environment", `Another ralph ui is about to start, process ${lock.by?.pid ?? "unknown"}.`, {
        hint: "Wait for it, or end it.",
      });
  }
}

/**
 * The server that runs; null if none answers to what the file says.
 * @throws RalphError `environment` if its process is there and does not answer: once it goes on, it lets in whom it let in before
 */
export async function runningInstance(user: User): Promise<UiInstance | null> {
  const written = writtenInstance(user);
  if (written === null) return null;
  const told = await ask(written.port, "/who", { method: "GET" });
  if (isRecord(told) && told.ralph_ui === written.id) return written;
  if (isSilent(written, user))
    throw new RalphError("environment", `The server of the page, process ${written.pid}, does not answer.`, {
      hint: `It may be suspended: fg in its terminal. End it, if it is not to go on: kill -9 ${written.pid}`,
    });
  return null;
}

/** Whether it is there all the same; one that is about to end has taken its file away before it stopped to answer. */
function isSilent({ id, pid, start_time }: UiInstance, user: User): boolean {
  return start_time !== null && writtenInstance(user)?.id === id && isAlive(pid, start_time);
}

/** Ends the server that runs. @returns whether it said that it ends */
export async function stopInstance(instance: UiInstance): Promise<boolean> {
  const told = await errand(instance, "/stop", {});
  return isRecord(told) && told.stopping === true;
}

/**
 * Lets the server that runs revoke a paired device, which ends its streams.
 * @param name `all` for each one
 * @returns the names of those that were
 * @throws RalphError `environment` if the server does not answer, or cannot write its file: then it lets nobody in until it ends
 */
export async function revokeAtServer(instance: UiInstance, name: string): Promise<string[]> {
  const told = await errand(instance, "/revoke", { name });
  if (isRecord(told) && Array.isArray(told.revoked)) return told.revoked.map(String);
  if (isRecord(told) && typeof told.error === "string") throw new RalphError("environment", told.error);
  throw new RalphError("environment", `The server of the page, process ${instance.pid}, does not answer.`, {
    hint: "End it, and try again: ralph ui stop",
  });
}

function errand({ port, stop_key }: UiInstance, path: string, body: unknown): Promise<unknown> {
  const headers = { "x-ralph-stop": stop_key, "content-type": "application/json" };
  return ask(port, path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function ask(port: number, path: string, init: RequestInit): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, redirect: "error", signal });
    return await answer.json();
  } catch {
    return null; // nobody listens there, or another program
  }
}

function writtenInstance(user: User): UiInstance | null {
  const found = readJson(fileOf(user));
  if (!isRecord(found)) return null; // no server was started yet, or the file was cut
  const { port, pid, id, stop_key } = found;
  const isWhole =
    typeof port === "number" && typeof pid === "number" && typeof id === "string" && typeof stop_key === "string";
  if (!isWhole) return null;
  const [start_time, others, version] = [str(found.start_time), str(found.others), str(found.version)];
  return { port, pid, start_time, id, stop_key, control: found.control === true, others, version };
}

function fileOf(user: User): string {
  return join(uiFolder(user), "server.json");
}
