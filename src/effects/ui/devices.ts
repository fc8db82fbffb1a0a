/** The devices that are paired with a user's page: their names, and of their secrets only hashes. */

import { timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import { DAY_MS, HOUR_MS } from "../../core/durations.ts";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { sha256Of } from "../files/sha256.ts";
import type { User } from "../user/home.ts";
import { uiFolder } from "./instance.ts";
import { type Admission, secret } from "./secrets.ts";

const MOST_DEVICES = 16;
/** A device is paired for this long. */
export const PAIRED_MS = 30 * DAY_MS;

const device = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/)),
  control: v.boolean(),
  paired_at: v.pipe(v.string(), v.isoTimestamp()),
  seen_at: v.pipe(v.string(), v.isoTimestamp()),
  expires_at: v.pipe(v.string(), v.isoTimestamp()),
  cookie_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  key_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
const document = v.object({ devices: v.array(device) });
export type Device = v.InferOutput<typeof device>;

/** Where the devices are kept. */
export type DeviceFile = { read(): Device[]; write(devices: readonly Device[]): void };

export type Devices = {
  list(): readonly Device[];
  /** @param label what it is, in letters, digits and hyphens; a number is added to one that is taken @returns null if there are too many */
  add(label: string, control: boolean): (Admission & { name: string }) | null;
  /** The device that has both secrets; null for none, or one whose time is over. */
  find(secrets: Admission): Device | null;
  /** Ends the streams of those devices, too. @param name `all` for each one @returns their names */
  revoke(name: string): string[];
  /** @param end called once the device is revoked, or its time is over @returns no longer calls it */
  onGone(device: Device, end: () => void): () => void;
};

/**
 * While a server runs, its own list is the true one: what others write into the file meanwhile lets nobody in, and is written over.
 * @param now epoch ms
 */
export function createDevices(file: DeviceFile, now: () => number): Devices {
  let devices: readonly Device[] = file.read();
  const ends = new Map<string, Set<() => void>>();
  const isLive = ({ expires_at }: Device) => now() < Date.parse(expires_at);
  const keep = (next: readonly Device[]) => {
    devices = next.filter(isLive);
    file.write(devices);
  };
  return {
    list: () => devices.filter(isLive),
    add(label, control) {
      const live = devices.filter(isLive);
      if (live.length >= MOST_DEVICES) return null;
      const name = freeName(
        label,
        live.map((one) => one.name),
      );
      const admission = { cookie: secret(), key: secret() };
      const at = new Date(now()).toISOString();
      const expires = new Date(now() + PAIRED_MS).toISOString();
      const hashes = { cookie_hash: sha256Of(admission.cookie), key_hash: sha256Of(admission.key) };
      const next = [...live, { name, control, paired_at: at, seen_at: at, expires_at: expires, ...hashes }];
      // First: one that is not kept was not given its secrets either, and is none.
      file.write(next);
      devices = next;
      return { ...admission, name };
    },
    find({ cookie, key }) {
      const [cookieHash, keyHash] = [sha256Of(cookie), sha256Of(key)];
      const found = devices.find(
        (one) => isSameHash(one.cookie_hash, cookieHash) && isSameHash(one.key_hash, keyHash) && isLive(one),
      );
      if (found === undefined) return null;
      if (now() - Date.parse(found.seen_at) < HOUR_MS) return found;
      const seen = { ...found, seen_at: new Date(now()).toISOString() };
      try {
        keep(devices.map((one) => (one === found ? seen : one)));
      } catch {
        // On a full disk it is let in all the same; the next hour's write tells when it was seen.
      }
      return seen;
    },
    revoke(name) {
      const gone = devices.filter((one) => name === "all" || one.name === name).map((one) => one.name);
      // First, because the file may be refused.
      for (const each of gone) for (const end of ends.get(each) ?? []) end();
      if (gone.length > 0) keep(devices.filter((one) => !gone.includes(one.name)));
      return gone;
    },
    onGone({ name, expires_at }, end) {
      const of = ends.get(name) ?? new Set();
      ends.set(name, of.add(end));
      // A longer time than a timer can count: its page comes back before, as it does after any end of a stream.
      const timer = setTimeout(end, Math.min(Date.parse(expires_at) - now(), DAY_MS));
      timer.unref();
      return () => {
        clearTimeout(timer);
        of.delete(end);
        if (of.size === 0) ends.delete(name);
      };
    },
  };
}

/** The private file of a user's devices. A damaged one lets nobody in. */
export function deviceFile(user: User): DeviceFile {
  const path = join(uiFolder(user), "devices.json");
  return {
    read() {
      const read = v.safeParse(document, readJson(path));
      return read.success ? read.output.devices : []; // no device was paired yet, or each has to be paired again
    },
    write(devices) {
      try {
        makePrivateFolder(uiFolder(user));
        writeFileAtomic(path, `${JSON.stringify({ devices }, null, 2)}\n`);
      } catch (cause) {
        throw new RalphError("environment", `The devices cannot be kept in ${path}: ${reasonOf(cause)}`, { cause });
      }
    },
  };
}

const AGENTS = [
  ["iphone", /iPhone/],
  ["ipad", /iPad/],
  ["android", /Android/],
  ["windows", /Windows/],
  ["mac", /Macintosh/],
  ["linux", /Linux/],
] as const;
const BROWSERS = [
  ["firefox", /Firefox|FxiOS/],
  ["edge", /Edg/],
  ["chrome", /Chrome|CriOS/],
  ["safari", /Safari/],
] as const;

/** What a browser says that it is, in words of ours: nothing that it sends is shown. */
export function labelOf(userAgent: string): string {
  const named = (all: readonly (readonly [string, RegExp])[]) =>
    all.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const words = [named(BROWSERS), named(AGENTS)].filter((word) => word !== undefined);
  return words.length === 0 ? "device" : words.join("-");
}

function freeName(label: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? label : `${label}-${number}`;
    if (!taken.includes(name) && name !== "all") return name;
  }
}

function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, "hex"), Buffer.from(other, "hex"));
}
