import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost } from "../../../src/effects/host.ts";
import { cachedAnswer, cacheFolder } from "../../../src/effects/user/user-cache.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("cache");
const program = join(folder, "program");
writeFileSync(program, "1");

/** A home of its own, and the number of questions asked there. */
function machine(name: string, answers: readonly (string | null)[]) {
  const home = join(folder, name);
  const host = { ...createHost(folder, { HOME: home }), platform: "linux" as const };
  let asked = 0;
  return {
    host,
    file: join(cacheFolder(host), "answers.json"),
    asked: () => asked,
    ask: () => cachedAnswer(host, "answers.json", program, async () => answers[asked++] ?? null),
  };
}

test("a program is asked once, and again when its file changes", async () => {
  const { ask, asked } = machine("once", ["1.0.0", "2.0.0"]);
  expect([await ask(), await ask(), asked()]).toEqual(["1.0.0", "1.0.0", 1]);
  writeFileSync(program, "another");
  expect([await ask(), await ask(), asked()]).toEqual(["2.0.0", "2.0.0", 2]);
});

test("a missing answer is not cached", async () => {
  const { ask, asked } = machine("none", [null, "1.0.0"]);
  expect([await ask(), await ask(), asked()]).toEqual([null, "1.0.0", 2]);
});

test("a cache with other content, or a read-only one, only means asking again", async () => {
  const { ask, asked, file } = machine("odd", ["1.0.0", "1.0.0", "1.0.0"]);
  for (const text of ["{", "[null, 1, {}]"]) {
    await ask();
    writeFileSync(file, text);
  }
  expect([await ask(), asked()]).toEqual(["1.0.0", 3]);
  writeFileSync(join(folder, "file"), "");
  const closed = machine("file", ["1.0.0", "1.0.0"]);
  expect([await closed.ask(), await closed.ask(), closed.asked()]).toEqual(["1.0.0", "1.0.0", 2]);
});

test("the cache is where the platform wants it", () => {
  const at = (platform: NodeJS.Platform, env: Record<string, string>) => cacheFolder({ platform, env, home: "/h" });
  expect(at("linux", {})).toBe(join("/h", ".cache", "ralph"));
  expect(at("linux", { XDG_CACHE_HOME: join(folder, "x") })).toBe(join(folder, "x", "ralph"));
  expect(at("linux", { XDG_CACHE_HOME: "relative" })).toBe(join("/h", ".cache", "ralph"));
  expect(at("darwin", {})).toBe(join("/h", "Library", "Caches", "ralph"));
  expect(at("win32", { LOCALAPPDATA: "L" })).toBe(join("L", "ralph", "Cache"));
  expect(at("win32", { LOCALAPPDATA: "" })).toBe(join("/h", "AppData", "Local", "ralph", "Cache"));
});
