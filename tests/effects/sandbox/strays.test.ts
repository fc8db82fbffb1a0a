/** What an agent makes where git, or an agent outside, would obey it. */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { watchStrays } from "../../../src/effects/sandbox/strays.ts";
import { testFolders } from "../../folders.ts";

const newFolder = testFolders("strays");

type Watched = { gitFolders?: readonly string[]; submodules?: readonly string[] };

function watched(
  before: (project: string, outside: string) => void = () => {},
  { gitFolders = [".git"], submodules = [] }: Watched = {},
) {
  const top = newFolder();
  const [project, outside, keep] = ["p", "outside", "kept"].map((name) => join(top, name)) as [string, string, string];
  for (const folder of [project, outside]) mkdirSync(folder);
  before(project, outside);
  const within = (names: readonly string[]) => names.map((name) => join(project, name));
  const paths = within([".agent/hooks", ".agent/settings.json", ".git/commondir"]);
  const look = watchStrays({
    paths: [...paths, join(outside, "config")],
    onlyFolders: within([".git"]),
    submodules: () => within(submodules),
    gitFolders: within(gitFolders),
    roots: [project, join(top, "state")],
    keep,
    project,
  });
  return { project, outside, keep, look };
}

describe.skipIf(process.platform === "win32")("what must not stay", () => {
  test("is set aside and told", () => {
    const { project, keep, look } = watched();
    mkdirSync(join(project, ".agent/hooks"), { recursive: true });
    // Neither it nor the folder around it can be changed: that keeps any user but root from moving it.
    for (const name of [".agent/hooks", ".agent"]) chmodSync(join(project, name), 0o500);
    expect(look()).toEqual([expect.stringMatching(/^\.agent\/hooks \(removed; it is kept in /)]);
    expect(readdirSync(join(project, ".agent"))).toEqual([]);
    expect(readdirSync(keep)).toHaveLength(1);
    expect(look()).toEqual([]);
  });

  test("is any link in a git folder but those that were there, however deep, and in a folder without its owner's rights", () => {
    const links = [
      "COMMIT_EDITMSG",
      "logs/refs/heads/objects/ab/x",
      "objects/ab",
      "objects/info/alternates",
      "worktrees/w/HEAD",
    ];
    const own = (project: string) => join(project, ".git/own");
    const { project, outside, look } = watched((at, elsewhere) => {
      mkdirSync(join(at, ".git/objects/cd"), { recursive: true });
      symlinkSync(elsewhere, own(at));
    });
    for (const name of links) {
      mkdirSync(dirname(join(project, ".git", name)), { recursive: true });
      symlinkSync(outside, join(project, ".git", name));
    }
    chmodSync(join(project, ".git/logs/refs"), 0o300);
    chmodSync(join(project, ".git/worktrees/w"), 0o500);
    expect(
      look()
        .map((told) => told.split(" ")[0] ?? "")
        .sort(),
    ).toEqual(links.map((name) => `.git/${name}`).sort());
    expect(look()).toEqual([]);
    expect([readlinkSync(own(project)), readdirSync(outside)]).toEqual([outside, []]);
  });

  test("is no link in a git folder by which git follows none, nor one where no agent can lay any", () => {
    const { project, look } = watched((at) => mkdirSync(join(at, ".git/hooks"), { recursive: true }));
    // As git does with core.preferSymlinkRefs.
    symlinkSync("refs/heads/new", join(project, ".git/HEAD"));
    // As a tool that somebody runs outside meanwhile.
    symlinkSync("../../checks/lint", join(project, ".git/hooks/pre-commit"));
    expect(look()).toEqual([]);
    symlinkSync("refs/../config", join(project, ".git/ORIG_HEAD"));
    rmSync(join(project, ".git/HEAD"));
    symlinkSync("refs/../config", join(project, ".git/HEAD"));
    expect(look()).toHaveLength(2);
  });

  test("is no folder of git's that goes away meanwhile", () => {
    const { project, look } = watched((at) => mkdirSync(join(at, ".git/refs"), { recursive: true }));
    rmSync(join(project, ".git"), { recursive: true });
    expect(look()).toEqual([]);
  });

  // git-annex takes the right to write from each folder with a file's contents.
  test("changes no rights of folders in which nothing must be moved", () => {
    const kept = ".git/annex/objects/Wk/9q/KEY";
    const { project, look } = watched((at) => {
      mkdirSync(join(at, kept), { recursive: true });
      chmodSync(join(at, kept), 0o555);
    });
    expect(look()).toEqual([]);
    expect(lstatSync(join(project, kept)).mode & 0o777).toBe(0o555);
  });

  test("is a git folder that the agent made a link: nothing behind it is moved", () => {
    const { project, outside, look } = watched((_, elsewhere) => symlinkSync("x", join(elsewhere, "own")));
    symlinkSync(outside, join(project, ".git"));
    expect(look()).toEqual([expect.stringMatching(/^\.git \(removed/)]);
    expect(readdirSync(outside)).toEqual(["own"]);
  });

  test("is the link itself, where the agent leads the way elsewhere: nothing behind it is moved", () => {
    const { project, outside, look } = watched((_, elsewhere) => symlinkSync("own", join(elsewhere, "hooks")));
    symlinkSync(outside, join(project, ".agent"));
    expect(look()).toHaveLength(1);
    expect(readdirSync(outside)).toEqual(["hooks"]);
    expect(existsSync(join(project, ".agent"))).toBe(false);
  });

  test.each([
    ["the project's", [".git"]],
    ["around it", []],
  ])("is a file that leads git from the repository, %s, to another, but not a new repository", (_, gitFolders) => {
    const { project, look } = watched(() => {}, { gitFolders });
    writeFileSync(join(project, ".git"), "gitdir: /elsewhere\n");
    expect(look()).toHaveLength(1);
    expect(existsSync(join(project, ".git"))).toBe(false);
    mkdirSync(join(project, ".git"));
    expect(look()).toEqual([]);
    writeFileSync(join(project, ".git/commondir"), "/elsewhere\n");
    expect(look()).toHaveLength(1);
    expect(readdirSync(join(project, ".git"))).toEqual([]);
  });

  test("is what stands in place of the user's link, which is put back", () => {
    const { project, look } = watched((there) => {
      mkdirSync(join(there, ".agent"));
      symlinkSync("../dotfiles/settings.json", join(there, ".agent/settings.json"));
    });
    expect(look()).toEqual([]);
    const path = join(project, ".agent/settings.json");
    writeFileSync(join(project, "mine"), "{}\n");
    renameSync(join(project, "mine"), path);
    expect(look()).toHaveLength(1);
    expect(readlinkSync(path)).toBe("../dotfiles/settings.json");
    rmSync(path);
    expect(look()).toEqual([]);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  test("is nothing that the user makes behind a link of the user's, nor what was there before", () => {
    const { project, outside, look } = watched((there, elsewhere) => {
      symlinkSync(elsewhere, join(there, ".agent"));
      writeFileSync(join(elsewhere, "settings.json"), "{}\n");
    });
    mkdirSync(join(outside, "hooks"));
    writeFileSync(join(outside, "config"), "");
    expect(look()).toEqual([]);
    expect(readdirSync(outside).sort()).toEqual(["config", "hooks", "settings.json"]);
    expect(readFileSync(join(project, ".agent/settings.json"), "utf8")).toBe("{}\n");
  });

  test("is a repository where git looks for a submodule, but for one that was there, and one that a link leads to", () => {
    const { project, outside, look } = watched(
      (there, elsewhere) => {
        for (const folder of [join(there, "old/.git"), join(elsewhere, ".git")]) mkdirSync(folder, { recursive: true });
      },
      { submodules: ["old/.git", "new/.git", "link/.git", "none/.git"] },
    );
    mkdirSync(join(project, "new/.git"), { recursive: true });
    symlinkSync(outside, join(project, "link"));
    expect(look()).toEqual([expect.stringMatching(/^new\/\.git \(removed/)]);
    expect([existsSync(join(project, "old/.git")), readdirSync(outside)]).toEqual([true, [".git"]]);
  });
});
