import { beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
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

describe("a project", () => {
  let ground: { project: string; format: "sha1"; aside: string };
  beforeEach(() => {
    const project = mkdtempSync(join(folder, "p-"));
    ground = { project, format: "sha1", aside: `${project}-aside` };
  });
  const idOf = (text: string) => objectId("blob", Buffer.from(text), "sha1");

  test.skipIf(process.platform === "win32").each([
    ["stays writable by others", 0o666, 0o100644, 0o666],
    ["stays private", 0o600, 0o100644, 0o600],
    ["becomes a program for those who can read it", 0o640, 0o100755, 0o750],
    ["is a program no more", 0o755, 0o100644, 0o644],
  ])("gets a file that %s", (_, was, mode, is) => {
    const path = join(ground.project, "a.txt");
    writeFileSync(path, "1\n");
    chmodSync(path, was);
    const change = { path: "a.txt", kept: idOf("1\n"), file: { mode, bytes: Buffer.from("2\n") } };
    expect(applyChanges(ground, [change])).toMatchObject({ written: 1, set_aside: [] });
    expect((statSync(path).mode & 0o777).toString(8)).toBe(is.toString(8));
  });

  test("loses a link that a checkpoint has, and folders that are empty then, and no others", () => {
    mkdirSync(join(ground.project, "deep/er"), { recursive: true });
    symlinkSync("nowhere", join(ground.project, "deep/er/link"));
    writeFileSync(join(ground.project, "deep/mine.txt"), "mine\n");
    const gone = { path: "deep/er/link", kept: idOf("nowhere"), file: null };
    expect(applyChanges(ground, [gone])).toEqual({ written: 0, deleted: 1, set_aside: [], left: [] });
    expect(readdirSync(join(ground.project, "deep"))).toEqual(["mine.txt"]);
  });

  test("is left by nothing: a path that leads out of it, or to its git, is named", () => {
    const file = { mode: 0o100644, bytes: Buffer.from("#!/bin/sh\n") };
    const paths = ["../out.txt", ".git/hooks/pre-commit", "/tmp/x", "a//b"];
    const done = applyChanges(
      ground,
      paths.map((path) => ({ path, kept: null, file })),
    );
    expect(done.left).toEqual(paths.map((path) => `${path} (no name for a file of a project)`));
    expect([done.written, readdirSync(ground.project)]).toEqual([0, []]);
  });
});
