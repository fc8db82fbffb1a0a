/** Git LFS and the hub: no hook runs on ralph's own pushes, and the content gets there all the same. With a small git-lfs of the test's own. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import { run } from "../../../scripts/lib/run-program.ts";
import { cleanUp } from "../support/harness.ts";
import { sharedPlan } from "./shared-plan.ts";

afterAll(cleanUp);

/**
 * Keeps content where git-lfs does, in the repository until a push, and then in the folder `SERVER`. Speaks the pre-push hook's language:
 * what is pushed, and what the remote has.
 */
const GIT_LFS = `#!/bin/sh
store=$(git rev-parse --path-format=absolute --git-common-dir)/lfs/objects
case "$1" in
clean)
  mkdir -p "$store"; cat > "$store/new.$$"; oid=$(sha256sum "$store/new.$$" | cut -c 1-64); mv "$store/new.$$" "$store/$oid"
  printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\n' "$oid" ;;
smudge)
  oid=$(sed -n 's/^oid sha256://p')
  cat "$store/$oid" 2>/dev/null || cat "$SERVER/$oid" || { echo "no content of $2: $oid" >&2; exit 1; } ;;
pre-push)
  test -n "$NO_SERVER" && { echo "batch response: the server is full" >&2; exit 2; }
  while read -r _ commit _ known; do new="$commit $new ^$known"; done
  test -z "$new" || git log -c -p --format= $new | sed -n 's/^++*oid sha256://p' | while read -r oid; do cp "$store/$oid" "$SERVER/"; done ;;
both) # a merge driver: %A %B
  { git-lfs smudge %A < "$2"; git-lfs smudge %B < "$3"; } > "$2.both"; git-lfs clean < "$2.both" > "$2" ;;
esac
`;

/** A project whose pictures Git LFS has, its hub, and a clone; the task draws one. */
function lfsFleet() {
  const check = 'for f in *.pic; do grep -q "^pixels" "$f" || exit 1; done\n';
  const cases = "draw) echo pixels-of-it > drawn.pic; echo pixels-more > first.pic;;";
  const shared = sharedPlan({ plan: "- [ ] draw\n", cases });
  const { at, git } = shared;
  const [bin, server, hub, clone] = ["lfs-bin", "server", "hub.git", "clone"].map((name) => join(at.dir, "..", name));
  if (bin === undefined || server === undefined || hub === undefined || clone === undefined) throw new Error();
  mkdirSync(bin);
  mkdirSync(server);
  writeFileSync(join(bin, "git-lfs"), GIT_LFS);
  chmodSync(join(bin, "git-lfs"), 0o755);
  Object.assign(at.env, { PATH: `${bin}${delimiter}${at.env.PATH}`, SERVER: server });
  const filter = (word: string, value: string) => git("config", "--global", `filter.lfs.${word}`, value);
  filter("clean", "git-lfs clean %f");
  filter("smudge", "git-lfs smudge %f");
  filter("required", "true");
  git("config", "--global", "merge.both.driver", "git-lfs both %A %B");
  at.write(".gitattributes", "*.pic filter=lfs merge=both -text\n");
  at.write("check.sh", check);
  at.write("first.pic", "pixels\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "pictures");
  /** As the user's own pushes do. */
  const upload = () => cpSync(join(at.dir, ".git/lfs/objects"), server, { recursive: true });
  upload();
  git("clone", "--quiet", "--bare", ".", hub);
  git("clone", "--quiet", hub, clone);
  const inHub = (...words: string[]) => git("-C", hub, ...words);
  const work = (env: Record<string, string> = {}) =>
    run([binary, "run", "--shard=1/1"], { cwd: clone, env: { ...at.env, ...env } });
  return { ...shared, hub, clone, server, inHub, work, upload };
}

const oidOf = (pointer: string) => /^oid sha256:(\w+)$/m.exec(pointer)?.[1] ?? "no pointer";

test.skipIf(process.platform === "win32")(
  "what Git LFS keeps of a task's work, and of a merge, is at the remote before the commits are",
  async () => {
    const { at, git, hub, server, inHub, work, upload } = lfsFleet();
    const { exitCode, output } = await work();
    expect([exitCode, output]).toEqual([0, expect.stringContaining("Handed in: draw")]);
    const branch = inHub("for-each-ref", "--format=%(refname:short)", "refs/heads/ralph");
    for (const name of ["drawn.pic", "first.pic"])
      expect(readdirSync(server)).toContain(oidOf(inHub("show", `${branch}:${name}`)));
    at.write("first.pic", "pixels-other\n");
    git("commit", "--quiet", "--all", "-m", "another picture");
    upload();
    git("remote", "add", "origin", hub);
    git("push", "--quiet", "origin", "main");
    const landed = await at.ralph("land", "--remote", "origin");
    expect([landed.exit, landed.stdout + landed.stderr]).toEqual([0, expect.stringContaining("1 branch is on main")]);
    expect(readFileSync(join(server, oidOf(inHub("show", "main:first.pic"))), "utf8")).toBe(
      "pixels-other\npixels-more\n",
    );
  },
);

test.skipIf(process.platform === "win32")(
  "where the content of Git LFS cannot be uploaded, nothing is pushed, and it is said where the work is",
  async () => {
    const { clone, inHub, work } = lfsFleet();
    const { exitCode, output } = await work({ NO_SERVER: "1" });
    expect([exitCode, output.replace(/\s+/g, " ")]).toEqual([
      7,
      expect.stringContaining("what Git LFS has of it could not be uploaded: batch response: the server is full"),
    ]);
    expect(inHub("for-each-ref", "refs/heads/ralph")).toBe("");
    expect(existsSync(join(clone, "drawn.pic"))).toBe(true);
    const again = await work();
    expect([again.exitCode, again.output]).toEqual([0, expect.stringContaining("Handed in: draw")]);
  },
);
