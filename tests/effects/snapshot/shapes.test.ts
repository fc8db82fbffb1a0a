/** In repositories of every shape, the changed files are those of `git status`. */
import { expect, test } from "bun:test";
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
