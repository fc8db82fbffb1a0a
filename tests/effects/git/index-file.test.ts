/** The index reader finds what `git ls-files` lists. */
import { expect, test } from "bun:test";
import { lstatSync } from "node:fs";
import { createSettingsReader } from "../../../src/effects/git/git-settings.ts";
import { modeOf, oidOf } from "../../../src/effects/git/index-file.ts";
import { discoverRepository } from "../../../src/effects/git/repository.ts";
import { createTrackedReader } from "../../../src/effects/git/tracked.ts";
import { createSandbox, type Sandbox } from "./git-sandbox.ts";

function tracked(box: Sandbox): string[] {
  const repository = discoverRepository(box.project);
  if (repository === null) throw new Error("no repository");
  const settings = createSettingsReader(box.env, false)(repository);
  const fail = (message: string) => {
    throw new Error(message);
  };
  const { folders, width } = createTrackedReader((path) => lstatSync(path).mtimeMs, fail)(repository, settings, "");
  const lines = [...folders].flatMap(([folder, { files }]) =>
    [...files].map(([name, entry]) => `${modeOf(entry).toString(8)} ${oidOf(entry, width)} ${folder}${name}`),
  );
  return lines.toSorted();
}

const listed = (box: Sandbox): string[] =>
  box
    .git("ls-files", "--stage", "-z")
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^(\d+ \w+) \d\t/, "$1 "))
    .toSorted();

const long = (letter: string, length: number) =>
  Array.from({ length: Math.ceil(length / 50) }, () => letter.repeat(49)).join("/");

const FILES = {
  "a.txt": "a",
  "a/b.txt": "b",
  "a/b/c.txt": "c",
  a0: "0",
  "ümläut/文.txt": "x",
  [`${long("x", 300)}/end`]: "1",
  [`${long("x", 250)}/other`]: "2",
  [`${long("y", 500)}`]: "3",
  z: "z",
};

const shapes: Record<string, (box: Sandbox) => void> = {
  "version 2": (box) => void box.git("update-index", "--index-version", "2"),
  "version 3": (box) => void box.git("update-index", "--skip-worktree", "a.txt"),
  "version 4": (box) => void box.git("update-index", "--index-version", "4"),
  "version 4 with flags": (box) => {
    box.git("update-index", "--index-version", "4");
    box.git("update-index", "--skip-worktree", "a/b.txt");
  },
  "a split index, fresh": (box) => void box.git("update-index", "--split-index"),
  "a split index with entries added, changed and removed": (box) => {
    box.git("config", "splitIndex.maxPercentChange", "100");
    box.git("update-index", "--split-index");
    box.write({ "a.txt": "changed", "new/er.txt": "new", z: "zz" });
    box.git("rm", "--quiet", "--cached", "a/b.txt");
    box.git("add", "a.txt", "new", "z");
  },
  "a split index that lost most of a long list": (box) => {
    box.write(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`many/${n}`, `${n}`])));
    box.git("add", ".");
    box.git("config", "splitIndex.maxPercentChange", "100");
    box.git("update-index", "--split-index");
    box.git("rm", "--quiet", "-r", "--cached", ...Array.from({ length: 250 }, (_, n) => `many/${n}`));
    box.write({ "many/299": "x" });
    box.git("add", "many/299");
  },
};

test.each(Object.keys(shapes))("an index of %s is read as git reads it", (name) => {
  using box = createSandbox();
  box.write(FILES);
  box.commit();
  shapes[name]?.(box);
  expect(tracked(box)).toEqual(listed(box));
});

test("an index with sha256 ids is read as git reads it", () => {
  using box = createSandbox("plain");
  box.git("init", "--quiet", "--object-format=sha256");
  box.write(FILES);
  box.commit();
  expect(tracked(box)).toEqual(listed(box));
});
