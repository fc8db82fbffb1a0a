import { expect, test } from "bun:test";
import { join } from "node:path";
import { createLocalOffset } from "../../src/effects/local-offset.ts";

const SOURCE = join(import.meta.dirname, "..", "..", "src");

/** What a process says of its times: apart where the C library and JavaScript would have another offset. */
function apartIn(env: Record<string, string>): unknown {
  // In a process of its own: the library reads the zone once.
  const code = `
    const { createLocalOffset } = await import(${JSON.stringify(join(SOURCE, "effects", "local-offset.ts"))});
    const { utcOffset } = await import(${JSON.stringify(join(SOURCE, "core", "text", "time-text.ts"))});
    const offsetAt = createLocalOffset();
    const apart = [];
    for (let at = Date.UTC(2020, 0, 1); at < Date.UTC(2036, 0, 1); at += 11 * 3_600_000 + 7)
      if (offsetAt(at) !== utcOffset(at)) apart.push(at);
    console.log(JSON.stringify(apart));`;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", code], { env: { ...process.env, ...env } });
  expect(stderr.toString()).toBe("");
  return JSON.parse(stdout.toString());
}

test.each([
  "UTC",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Pacific/Apia",
  "Pacific/Marquesas",
])("the C library knows %s as JavaScript does", (TZ) => expect(apartIn({ TZ })).toEqual([]));

test.each([
  ["on a machine without time zones", { TZ: "Europe/Berlin", TZDIR: "/nowhere" }],
  ["that JavaScript does not know", { TZ: "CET-1CEST" }],
  ["that is a file", { TZ: "/usr/share/zoneinfo/Europe/Berlin" }],
  ["that the C library does not know", { TZ: "europe/berlin" }],
])("all times of a program are in one zone, also for one %s", (_, env) => expect(apartIn(env)).toEqual([]));

test("a time that is none has no offset", () => expect(createLocalOffset()(Number.NaN)).toBeNaN());
