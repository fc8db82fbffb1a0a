import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deleteRefs, listRefs, readRef, writeRef } from "../../../src/effects/git/ref-files.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";
import { createSandbox } from "./git-sandbox.ts";

const RUN = "refs/ralph/0001/";

test("refs are written, read, listed and deleted as git does, loose and packed", () => {
  using box = createSandbox();
  const first = box.commit("first");
  const dir = box.path(".git");
  writeRef(dir, `${RUN}1`, first);
  writeRef(dir, `${RUN}1.before`, first);
  writeRef(dir, "refs/ralph/0002/1", first);
  box.git("tag", "--annotate", "--message", "an annotated tag has two lines in packed-refs", "v1");
  box.git("update-ref", `${RUN}1.tag`, "refs/tags/v1");
  box.git("pack-refs", "--all");
  writeRef(dir, `${RUN}2`, first);
  // As a kill leaves it.
  writeFileSync(join(dir, `${RUN}3.0123abcd.lock`), `${first}\n`);
  expect(box.git("for-each-ref", "--format=%(refname)", "refs/ralph/0001").split("\n")).toEqual(listRefs(dir, RUN));
  expect(listRefs(dir, RUN)).toEqual([`${RUN}1`, `${RUN}1.before`, `${RUN}1.tag`, `${RUN}2`]);
  expect([readRef(dir, `${RUN}1`), readRef(dir, `${RUN}2`), readRef(dir, `${RUN}3`)]).toEqual([first, first, null]);

  deleteRefs(dir, [RUN]);
  expect(listRefs(dir, RUN)).toEqual([]);
  expect(existsSync(box.path(".git/refs/ralph"))).toBe(false);
  expect(box.git("for-each-ref", "--format=%(refname)").split("\n")).toEqual([
    "refs/heads/main",
    "refs/ralph/0002/1",
    "refs/tags/v1",
  ]);
  expect(box.git("rev-parse", "v1^{commit}")).toBe(first);
  expect(readFileSync(join(dir, "packed-refs"), "utf8").match(/^\^/gm)).toHaveLength(1);
});

test("packed refs of many runs are deleted in one go, and no other's", async () => {
  using box = createSandbox();
  const first = box.commit("first");
  const dir = box.path(".git");
  const packed = join(dir, "packed-refs");
  const runs = (size: number) => Array.from({ length: size }, (_, n) => `refs/ralph/${n}/`);
  const other = `${first} refs/ralph/1-other/1\n`;
  const begin = (given: readonly string[]) =>
    writeFileSync(packed, `${given.map((run) => `${first} ${run}1\n${first} ${run}2\n`).join("")}${other}`);
  const work = (given: readonly string[]) => {
    begin(given);
    deleteRefs(dir, given);
  };
  expect(await growth(runs, work, 4000)).toBeLessThan(IN_PROPORTION);
  expect(readFileSync(packed, "utf8")).toBe(other);
});

test("names of other branches stay as they are, byte for byte, and a link in place of refs is not followed", () => {
  using box = createSandbox();
  const first = box.commit("first");
  const dir = box.path(".git");
  writeRef(dir, `${RUN}1`, first);
  box.git("pack-refs", "--all");
  const packed = join(dir, "packed-refs");
  const other = Buffer.concat([Buffer.from(`${first} refs/heads/caf`), Buffer.from([0xe9]), Buffer.from("\n")]);
  writeFileSync(packed, Buffer.concat([readFileSync(packed), other]));
  deleteRefs(dir, [RUN]);
  expect(readFileSync(packed).includes(other)).toBe(true);
  expect(existsSync(`${packed}.lock`)).toBe(false);

  mkdirSync(box.path("own"));
  writeFileSync(box.path("own/1"), "mine\n");
  mkdirSync(join(dir, "refs/ralph"), { recursive: true });
  symlinkSync(box.path("own"), join(dir, RUN.slice(0, -1)));
  expect(() => deleteRefs(dir, [RUN])).toThrow("is no folder");
  expect(() => writeRef(dir, `${RUN}2`, first)).toThrow("is no folder");
  expect(readFileSync(box.path("own/1"), "utf8")).toBe("mine\n");
});
