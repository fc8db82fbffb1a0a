/** Repositories of every shape that git knows, and what an agent does in them. */
import { chmodSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { openSandbox, type Sandbox } from "./git-sandbox.ts";

export const FILES = {
  "README.md": "# project\n",
  "src/main.ts": "main();\n",
  "src/util/list.ts": "export const list = [];\n",
  "src/util/map.ts": "export const map = {};\n",
  "src/util.ts": "export {};\n",
  "docs/guide.md": "guide\n",
  "docs/deep/er/note.md": "note\n",
  "empty.txt": "",
};

/** Makes a clean repository; returns the folder to work in if it is not the project. */
export const shapes: Record<string, (box: Sandbox) => string | undefined> = {
  "index version 2": (box) => void box.git("update-index", "--index-version", "2"),
  "index version 3": (box) => {
    box.write({ "intent.txt": "intent\n" });
    box.git("add", "--intent-to-add", "intent.txt");
    box.git("commit", "--quiet", "--message", "with intent", "--", "intent.txt");
    box.git("update-index", "--skip-worktree", "empty.txt");
  },
  "index version 4": (box) => void box.git("update-index", "--index-version", "4"),
  "a split index": (box) => {
    box.git("update-index", "--split-index");
    box.git("config", "splitIndex.maxPercentChange", "100");
    box.write({ "src/split.ts": "split\n", "README.md": "# other\n" });
    box.git("rm", "--quiet", "docs/guide.md");
    box.commit("amends the shared index");
  },
  "an untracked cache": (box) => void box.git("update-index", "--force-untracked-cache"),
  "a repository after gc": (box) => void box.git("gc", "--quiet"),
  "a linked worktree": (box) => {
    box.git("worktree", "add", "--quiet", "-b", "side", "../side");
    return join(box.folder, "side");
  },
  "a sub-folder of a repository": (box) => box.path("src"),
  "a shallow clone": (box) => {
    box.gitIn(box.folder, "clone", "--quiet", "--depth=1", `file://${box.project}`, "clone");
    return join(box.folder, "clone");
  },
  "a clone with alternates": (box) => {
    box.gitIn(box.folder, "clone", "--quiet", "--shared", "project", "clone");
    return join(box.folder, "clone");
  },
  "a sparse checkout by folders": (box) => void box.git("sparse-checkout", "set", "--cone", "src"),
  "a sparse checkout by patterns": (box) => void box.git("sparse-checkout", "set", "--no-cone", "/src/", "*.txt"),
  "a sparse index": (box) => void box.git("sparse-checkout", "set", "--cone", "--sparse-index", "src"),
  "sha256 ids": (box) => {
    rmSync(box.path(".git"), { recursive: true });
    box.git("init", "--quiet", "--object-format=sha256");
    box.commit();
  },
  "a detached HEAD": (box) => void box.git("checkout", "--quiet", "--detach"),
  "a branch without commits, all staged": (box) => {
    rmSync(box.path(".git"), { recursive: true });
    box.git("init", "--quiet");
    box.git("add", "--all");
  },
  "ignored exec bits": (box) => void box.git("config", "core.fileMode", "false"),
  "line ends converted by attributes": (box) => {
    box.write({ ".gitattributes": "*.md text eol=crlf\n*.ts text eol=lf\n" });
    box.commit();
    rmSync(box.path("docs"), { recursive: true });
    rmSync(box.path("README.md"));
    box.git("checkout", "--quiet", ".");
  },
};

/** Things that an agent does in `src`, which every shape has. */
export function work(box: Sandbox, folder: string): void {
  const src = folder.endsWith("src") ? folder : join(folder, "src");
  const at = openSandbox(box.folder, src);
  at.write({
    "main.ts": "Main();\n",
    "new.ts": "new\n",
    "deep/er/new.ts": "new\n",
    "names/with space.ts": "1",
    "names/ümläut.ts": "1",
    "names/\u{1f480}.ts": "1",
  });
  unlinkSync(join(src, "util/map.ts"));
  renameSync(join(src, "util/list.ts"), join(src, "util/array.ts"));
  symlinkSync("main.ts", join(src, "link"));
  if (process.platform !== "win32") chmodSync(join(src, "util.ts"), 0o755);
}
