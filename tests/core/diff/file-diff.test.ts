import { describe, expect, test } from "bun:test";
import { type Content, diffFiles, type FileChange, MAX_DIFF_BYTES } from "../../../src/core/diff/file-diff.ts";

const content = (text: string, mode = "100644"): Content => ({
  bytes: new TextEncoder().encode(text),
  mode,
  id: text,
});
const change = (path: string, before: string | null, after: string | null): FileChange => ({
  path,
  before: before === null ? null : content(before),
  after: after === null ? null : content(after),
});
const only = (...changes: FileChange[]) => {
  const [file] = diffFiles(changes);
  if (file === undefined) throw new Error("no diff");
  return file;
};

describe("the diff of a file", () => {
  test("that changed has git's header, its hunks, and counts", () => {
    expect(only(change("a.txt", "one\ntwo\n", "one\n2\n3\n"))).toEqual({
      path: "a.txt",
      from: null,
      change: "changed",
      added: 2,
      removed: 1,
      omitted: null,
      lines: [
        "diff --git a/a.txt b/a.txt",
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -1,2 +1,3 @@",
        " one",
        "-two",
        "+2",
        "+3",
      ],
    });
  });

  test.each([
    ["added", change("a b.txt", null, "x\n"), ["new file mode 100644", "--- /dev/null", "+++ b/a b.txt\t"]],
    ["deleted", change("a.txt", "x\n", null), ["deleted file mode 100644", "--- a/a.txt", "+++ /dev/null"]],
  ])("that was %s names only one side", (kind, changed, lines) => {
    const file = only(changed);
    expect(file.change).toBe(kind as "added");
    expect(file.lines).toEqual(expect.arrayContaining(lines));
  });

  test("whose mode alone changed has no hunk", () => {
    const file = only({ path: "run.sh", before: content("x\n"), after: content("x\n", "100755") });
    expect(file.lines).toEqual(["diff --git a/run.sh b/run.sh", "old mode 100644", "new mode 100755"]);
  });

  test("that is binary is one line, whatever its size", () => {
    const file = only(change("a.png", "a\0b", "a\0c"));
    expect(file).toMatchObject({ omitted: "binary", added: 0, removed: 0 });
    expect(file.lines).toEqual(["diff --git a/a.png b/a.png", "Binary files a/a.png and b/a.png differ"]);
  });

  test("that is too large is one line", () => {
    const large = only(change("log.txt", null, "x\n".repeat(MAX_DIFF_BYTES)));
    expect(large.lines.at(-1)).toBe("Large files /dev/null and b/log.txt differ");
    const unread = only({ path: "a", before: null, after: { bytes: null, mode: "100644", id: "1" } });
    expect(unread.omitted).toBe("large");
  });

  test("that was moved tells from where, with the lines that changed on the way", () => {
    const text = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join("");
    const files = diffFiles([change("new.ts", null, `${text}more\n`), change("old.ts", text, null)]);
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({ path: "new.ts", from: "old.ts", change: "renamed", added: 1, removed: 0 });
    expect(files[0]?.lines).toContain("rename from old.ts");
  });

  test("that was deleted beside another new one is not taken as moved, and no empty file is", () => {
    const files = diffFiles([
      change("new.ts", null, "all\nother\nwords\n"),
      change("old.ts", "some\nlines\n", null),
      change("a/__init__.py", null, ""),
      change("b/__init__.py", "", null),
    ]);
    expect(files.map(({ path, change }) => `${path} ${change}`)).toEqual([
      "a/__init__.py added",
      "b/__init__.py deleted",
      "new.ts added",
      "old.ts deleted",
    ]);
  });
});
