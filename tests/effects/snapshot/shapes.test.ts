/** In repositories of every shape, the changed files are those of `git status`. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, openSandbox } from "../git/git-sandbox.ts";
import { FILES, shapes, work } from "../git/repository-shapes.ts";

test.each(Object.keys(shapes))(
  "an agent's work in %s is seen as git status sees it, even after a commit",
  async (shape) => {
    using box = createSandbox();
    box.write(FILES);
    box.commit();
    const folder = shapes[shape]?.(box) ?? box.project;
    const at = openSandbox(box.folder, folder);
    const untouched = at.status();
    const workspace = at.workspace();

    const before = await workspace.snapshot();
    work(box, folder);
    const worked = await workspace.snapshot();
    const { files, headMoved } = await workspace.changes(before, worked);
    expect(headMoved).toBeFalse();
    expect(files.length).toBeGreaterThan(7);
    // On a branch without commits, git names all files: it has nothing to compare with.
    if (untouched.length === 0) expect(files).toEqual(at.status());
    else expect(shape).toBe("a branch without commits, all staged");

    at.git("add", "--all", "--sparse", ".");
    at.git("commit", "--quiet", "--message", "work");
    const after = await workspace.snapshot();
    expect(await workspace.changes(worked, after)).toMatchObject({ files: [], headMoved: true });
    expect((await workspace.changes(before, after)).files).toEqual(files);
    expect(workspace.fingerprint(after)).toBe(workspace.fingerprint(worked));
    // A new workspace, from the index alone, finds the same tree.
    const fresh = at.workspace();
    expect(fresh.fingerprint(await fresh.snapshot())).toBe(workspace.fingerprint(after));
  },
);

test("a submodule counts by its HEAD, and its own files do not", async () => {
  using box = createSandbox();
  const lib = openSandbox(box.folder, join(box.folder, "lib"));
  mkdirSync(lib.project);
  lib.git("init", "--quiet");
  lib.write({ "lib.c": "int x;\n" });
  lib.commit();
  box.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.project, "lib");
  box.commit();
  const inside = openSandbox(box.folder, box.path("lib"));
  expect((await box.changes(() => inside.write({ "lib.c": "int y;\n" }))).files).toEqual([]);
  expect((await box.changes(() => void inside.commit())).files).toEqual(["lib"]);
  expect(box.status()).toEqual(["lib"]);
  // The submodule as a project of its own.
  expect((await inside.changes(() => inside.write({ "lib.c": "int z;\n" }))).files).toEqual(["lib.c"]);
});
