import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyChanges } from "../../../src/effects/checkpoints/restore.ts";
import { objectId } from "../../../src/effects/git/loose-objects.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("restore");

test("nothing is deleted or written behind a link that has taken the place of a folder", () => {
  const [project, outside] = [join(folder, "project"), join(folder, "outside")];
  for (const path of [project, outside]) mkdirSync(path);
  // The same bytes as in the checkpoint: only the way there differs.
  writeFileSync(join(outside, "a.txt"), "1\n");
  symlinkSync(outside, join(project, "deep"));
  const kept = objectId("blob", Buffer.from("1\n"), "sha1");
  const ground = { project, format: "sha1", aside: join(folder, "aside") } as const;

  const deleted = applyChanges(ground, [{ path: "deep/a.txt", kept, file: null }]);
  expect([deleted.deleted, deleted.left]).toEqual([0, ["deep/a.txt (its folder is none any more)"]]);
  expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("1\n");

  const file = { mode: 0o100644, bytes: Buffer.from("2\n") };
  expect(applyChanges(ground, [{ path: "deep/a.txt", kept, file }])).toMatchObject({ written: 1, set_aside: ["deep"] });
  expect(readFileSync(join(project, "deep/a.txt"), "utf8")).toBe("2\n");
  expect([readdirSync(outside), readFileSync(join(outside, "a.txt"), "utf8")]).toEqual([["a.txt"], "1\n"]);
});

test("what is set aside goes to a folder that was not there", () => {
  const [project, outside] = [join(folder, "other"), join(folder, "elsewhere")];
  for (const path of [project, outside]) mkdirSync(path);
  writeFileSync(join(project, "b.txt"), "in the way\n");
  symlinkSync(outside, join(folder, "taken"));
  const ground = { project, format: "sha1", aside: join(folder, "taken") } as const;
  const file = { mode: 0o100755, bytes: Buffer.from("#!/bin/sh\n") };
  expect(applyChanges(ground, [{ path: "b.txt", kept: null, file }])).toMatchObject({ set_aside: ["b.txt"] });
  expect(readdirSync(outside)).toEqual([]);
  expect(existsSync(join(folder, "taken-2/b.txt"))).toBe(true);
});
