/** The untracked files that count are those of `git ls-files --others --exclude-standard`. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { encodePath } from "../../../src/effects/git/names.ts";
import type { Snapshot, Workspace } from "../../../src/effects/ports.ts";
import { hides, patternsOf, rulesOf } from "../../../src/effects/snapshot/rules.ts";
import { seed } from "../../seed.ts";
import { createSandbox, type Sandbox } from "../git/git-sandbox.ts";

const TREE = [
  "a.log",
  "b.txt",
  "build/out.js",
  "build/keep/me.txt",
  "src/a.log",
  "src/b.txt",
  "src/build/x.js",
  "src/deep/er/a.log",
  "src/deep/er/b.txt",
  "src/deep/build",
  "odd [x]/a.log",
  "odd [x]/b.txt",
  "#hash",
  "!bang",
  "src/#hash",
  "src/!bang",
  "trailing ",
  "UPPER.LOG",
];

/** Untracked files that git would add. */
function othersOf(box: Sandbox): string[] {
  const output = box.git("ls-files", "--others", "--exclude-standard", "-z", "--deduplicate");
  return output
    .split("\0")
    .filter((path) => path !== "")
    .toSorted();
}

type Open = { box: Sandbox; workspace: Workspace; empty: Snapshot };

async function openTree(box: Sandbox): Promise<Open> {
  const workspace = box.workspace();
  const empty = await workspace.snapshot();
  box.write(Object.fromEntries(TREE.map((path) => [path, path])));
  return { box, workspace, empty };
}

async function counted({ workspace, empty }: Open): Promise<string[]> {
  return (await workspace.changes(empty, await workspace.snapshot())).files;
}

type Case = Readonly<Record<string, string>>;
const cases: Record<string, Case> = {
  "by name": { ".gitignore": "*.log\nbuild\n" },
  "folders only": { ".gitignore": "build/\n" },
  anchored: { ".gitignore": "/a.log\n/build\n" },
  "with a slash inside": { ".gitignore": "src/build\ndeep/er\n" },
  "double stars": { ".gitignore": "**/er/\nsrc/**/a.log\nbuild/**\n" },
  "a negation": { ".gitignore": "*.log\n!src/a.log\n" },
  "a negation that comes too late": { ".gitignore": "build/\n!build/keep/me.txt\n" },
  "all but some": { ".gitignore": "/*\n!/src/\n!.gitignore\n" },
  nested: { "src/.gitignore": "*.log\nbuild/\n" },
  "nested, anchored": { "src/.gitignore": "/a.log\n/build/\ndeep/er/b.txt\n" },
  "nested, against the one above": { ".gitignore": "*.log\n*.txt\n", "src/.gitignore": "!*.log\n!/deep/er/b.txt\n" },
  "nested, all": { "src/.gitignore": "*\n!.gitignore\n" },
  "nested, of a folder already ignored": { ".gitignore": "src/\n", "src/.gitignore": "!*\n" },
  "in a folder with special signs": { "odd [x]/.gitignore": "/a.log\n" },
  "comments and escapes": { ".gitignore": "#hash\n\\!bang\n\\#hash\n" },
  "escapes, nested": { "src/.gitignore": "#hash\n\\!bang\n\\#hash\n" },
  "blanks at the end": { ".gitignore": "*.log   \ntrailing\\ \n" },
  "Windows line ends and a byte order mark": { ".gitignore": "\ufeff*.log\r\nbuild/\r\n" },
  "classes and question marks": { ".gitignore": "[ab].txt\n?.log\n" },
  "info/exclude": { ".git/info/exclude": "*.log\n" },
  "info/exclude, overruled": { ".git/info/exclude": "*.log\nbuild/\n", ".gitignore": "!src/a.log\n!build/\n" },
  "a lone slash": { ".gitignore": "/\n", "src/.gitignore": "/\n!/\n" },
};

test.each(Object.keys(cases))("ignore rules match git's: %s", async (name) => {
  using box = createSandbox();
  const open = await openTree(box);
  box.write(cases[name] ?? {});
  expect(await counted(open)).toEqual(othersOf(box));
});

const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!"),
    fc.constantFrom("", "", "/", "**/", "src/", "/src/", "src/**/", "*/"),
    fc.constantFrom(
      "*",
      "a.log",
      "*.log",
      "*.txt",
      "build",
      "deep",
      "er",
      "src",
      "keep",
      "b*",
      "?.log",
      "[!a]*",
      "**",
      "x.js",
    ),
    fc.constantFrom("", "", "/", "/*", "/**"),
  )
  .map((parts) => parts.join(""));
const file = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.map((line) => `${line}\n`).join(""));
const places = [
  ".gitignore",
  "src/.gitignore",
  "src/deep/.gitignore",
  "build/.gitignore",
  ".git/info/exclude",
] as const;

test("ignore rules match git's for any rules in any folders, even when they change during a run", async () => {
  using box = createSandbox();
  const open = await openTree(box);
  await fc.assert(
    fc.asyncProperty(fc.tuple(file, file, file, file, file), async (texts) => {
      for (const [at, place] of places.entries()) {
        rmSync(box.path(place), { force: true });
        if (texts[at] !== "") writeFileSync(box.path(place), texts[at] ?? "");
      }
      expect(await counted(open)).toEqual(othersOf(box));
    }),
    { seed, numRuns: 120 },
  );
}, 60_000);

/** Whatever a pattern may be made of; some of it has no end, or no sense. */
const anyPattern = fc
  .array(
    fc.constantFrom(
      ...[
        "a",
        "b",
        "A",
        "aB",
        "/",
        "/",
        "*",
        "**",
        "**/",
        "/**",
        "?",
        "é",
        "\udcff",
        " ",
        "!",
        "#",
        "-",
        "]",
        "[",
        "\\",
      ],
      ...[
        "\\*",
        "\\a",
        "\\A",
        "\\/",
        "\\\\",
        "\\ ",
        "[ab]",
        "[!a]",
        "[^a]",
        "[a-c]",
        "[c-a]",
        "[A-Z]",
        "[B]",
        "[]a]",
        "[a-]",
      ],
      ...["[\\]]", "[[:upper:]]", "[[:alpha:]-z]", "[[:nope:]]", "[[:a]", "[/]", "[é]", "[!-~]", "[[:space:]]"],
    ),
    { minLength: 1, maxLength: 7 },
  )
  .map((parts) => parts.join(""));
const anyPath = fc
  .array(
    fc
      .array(fc.constantFrom("a", "b", "c", "A", "B", "é", "\udcff", "*", "-", "]", "[", "\\", "!", "#", " "), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => parts.join("")),
    { minLength: 1, maxLength: 4 },
  )
  .map((names) => names.join("/"));

test.each([
  ["case counts", "false"],
  ["case does not", "true"],
])(
  "any pattern means what it means to git, byte for byte, where %s",
  (_, ignoreCase) => {
    using box = createSandbox();
    box.git("config", "core.ignoreCase", ignoreCase);
    const ofGit = (paths: string[]) => {
      const input = Buffer.concat(paths.flatMap((path) => [Buffer.from(encodePath(path)), Buffer.from([0])]));
      const args = ["git", "check-ignore", "--no-index", "--verbose", "--non-matching", "-z", "--stdin"];
      const { stdout } = Bun.spawnSync(args, { cwd: box.project, env: box.env, stdin: input });
      // Four fields for each: the file and line of the pattern that decided, the pattern and the path.
      const fields = stdout.toString("latin1").split("\0");
      return paths.map((__, at) => fields[4 * at + 2] !== "" && fields[4 * at + 2]?.startsWith("!") === false);
    };
    fc.assert(
      fc.property(
        fc.array(anyPattern, { minLength: 1, maxLength: 2 }),
        fc.constantFrom("", "1/"),
        fc.array(anyPath, { minLength: 40, maxLength: 40 }),
        (lines, folder, paths) => {
          const text = lines.map((line) => `${line}\n`).join("");
          rmSync(box.path("1"), { recursive: true, force: true });
          rmSync(box.path(".gitignore"), { force: true });
          box.write({ [`${folder}.gitignore`]: Buffer.from(encodePath(text)) });
          const rules = rulesOf(null, patternsOf(text, folder), ignoreCase === "true");
          const all = [...paths, ...paths.map((path) => folder + path)];
          const ofGits = ofGit(all);
          expect(all.filter((path) => hides(rules, path))).toEqual(all.filter((__, at) => ofGits[at]));
        },
      ),
      { seed, numRuns: 300 },
    );
  },
  60_000,
);

test("tracked files count even if ignored; new files beside them do not", async () => {
  using box = createSandbox();
  box.write({ ".gitignore": "dist/\n*.log\n", "dist/lib/a.js": "a", "a.log": "a" });
  box.git("add", "--force", ".");
  box.git("commit", "--quiet", "--message", "x");
  const { files } = await box.changes(() =>
    box.write({ "dist/lib/a.js": "b", "dist/lib/new.js": "x", "dist/new/x.js": "x", "a.log": "b", "b.log": "x" }),
  );
  expect(files).toEqual(["a.log", "dist/lib/a.js"]);
  expect(files).toEqual(box.status());
});

test("git add makes an ignored file count", async () => {
  using box = createSandbox();
  box.write({ ".gitignore": "*.log\n", "a.log": "a" });
  box.commit();
  const workspace = box.workspace();
  await workspace.snapshot();
  box.git("add", "--force", "a.log");
  const before = await workspace.snapshot();
  box.write({ "a.log": "b" });
  expect((await workspace.changes(before, await workspace.snapshot())).files).toEqual(["a.log"]);
});

/** The user's own ignore file, in each place where git looks; paths are in the home folder. */
const excludes: Record<string, { files: Case; config?: string; env?: (home: string) => Record<string, string> }> = {
  "the default place": { files: { ".config/git/ignore": "*.log\n" } },
  XDG_CONFIG_HOME: {
    files: { "xdg/git/ignore": "*.log\n" },
    env: (home) => ({ XDG_CONFIG_HOME: join(home, "xdg") }),
  },
  "core.excludesFile in the home folder": {
    files: { ".gitconfig": "[core]\n\texcludesFile = ~/mine # comment\n", mine: "*.log\n" },
  },
  "core.excludesFile in an included file": {
    files: { ".gitconfig": "[include]\n\tpath = more\n", more: '[CORE]\nExcludesFile="~/mine"\n', mine: "*.log\n" },
  },
  "core.excludesFile for a folder": {
    files: {
      ".gitconfig": '[includeIf "gitdir:**/project/.git"]\n\tpath = more\n',
      more: "[core]\nexcludesfile=~/mine",
      mine: "*.log\n",
    },
  },
  "core.excludesFile for another folder": {
    files: {
      ".gitconfig": '[includeIf "gitdir:~/elsewhere/"]\n\tpath = more\n',
      more: "[core]\nexcludesfile=~/mine",
      mine: "*.log\n",
    },
  },
  GIT_CONFIG_GLOBAL: {
    files: { other: "[core]\nexcludesfile=~/mine", mine: "*.log\n", ".gitconfig": "[core]\nexcludesfile=~/none" },
    env: (home) => ({ GIT_CONFIG_GLOBAL: join(home, "other") }),
  },
};

test.each(Object.keys(excludes))("the user's own ignore rules apply as in git, from %s", async (name) => {
  using box = createSandbox();
  const home = join(box.folder, "home");
  const { files = {}, env } = excludes[name] ?? {};
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  delete box.env.GIT_CONFIG_GLOBAL;
  Object.assign(box.env, env?.(home));
  const open = await openTree(box);
  const seen = await counted(open);
  expect(seen).toEqual(othersOf(box));
  expect(seen.includes("a.log")).toBe(name.endsWith("another folder"));
});

test("the user's own ignore file lies below the root of the repository if it is named so, wherever ralph was started", async () => {
  using box = createSandbox();
  const open = await openTree(box);
  box.write({ ".git/mine": "*.log\n" });
  box.git("config", "core.excludesFile", ".git/mine");
  expect(await counted(open)).toEqual(othersOf(box));
  expect(await counted(open)).not.toContain("a.log");
});

test("a repository's setting overrides the user's, and case matters only if git says so", async () => {
  using box = createSandbox();
  const open = await openTree(box);
  box.write({ ".git/mine": "*.log\n" });
  box.git("config", "core.excludesFile", box.path(".git/mine"));
  box.git("config", "core.ignoreCase", "false");
  expect(await counted(open)).toEqual(othersOf(box));
  expect(await counted(open)).toContain("UPPER.LOG");
  box.git("config", "core.ignoreCase", "true");
  expect(await counted(open)).toEqual(othersOf(box));
  expect(await counted(open)).not.toContain("UPPER.LOG");
});

test.each(["?", "[a]", "*a", "a/", "x"])(
  "a line of %s that is longer than what any path could match is no rule, and ends nothing",
  (part) => {
    const rules = rulesOf(null, patternsOf(`${part.repeat(300_000)}\n*.log\n`, "src/"), false);
    expect(["src/a.log", "src/b.txt"].map((path) => rules.ignores(path))).toEqual([true, false]);
  },
);

test("a line of blanks is read in one go, wherever it ends", () => {
  const rules = rulesOf(null, patternsOf(`${" ".repeat(999_000)}x\n*.log   \nb\\ \\   \n`, ""), false);
  expect(["a.log", "b  ", "b ", "x"].map((path) => rules.ignores(path))).toEqual([true, true, false, false]);
});
