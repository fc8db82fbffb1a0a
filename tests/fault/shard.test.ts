/** A worker of `ralph run --shard` that is killed at each call of git, and begun again. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../scripts/lib/paths.ts";
import { run } from "../../scripts/lib/run-program.ts";
import { sharedPlan } from "../e2e/fleet/shared-plan.ts";
import { cleanUp } from "../e2e/support/harness.ts";

afterAll(cleanUp);

/** Counts the calls of git, of which two may run at once, and kills ralph at the one that is asked for: before it (`-`) or after it (`+`). */
const GIT = `#!/bin/sh
[ -n "$KILL" ] || exec "$REAL_GIT" "$@"
read -r n < "$COUNT"; n=$((n + 1)); echo $n 1<> "$COUNT"
[ "$KILL" = "$n-" ] && kill -9 "$PPID" && exit 1
"$REAL_GIT" "$@"; code=$?
[ "$KILL" = "$n+" ] && kill -9 "$PPID"
exit $code
`;
/** Every so many of the calls is one that strikes. */
const STEP = 5;

test.skipIf(process.platform === "win32")(
  "killed at any call of git, a worker goes on when it is begun again: both tasks are handed in, whole, and nothing is lost",
  async () => {
    const { at, did, git, meet } = sharedPlan({ plan: "- [ ] one\n- [ ] two\n" });
    const bin = join(at.dir, "..", "git-bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), GIT);
    chmodSync(join(bin, "git"), 0o755);
    const count = join(meet, "count");
    const inHub = (hub: string, ...words: string[]) => git("-C", hub, ...words);

    const life = async (name: string, kill: string) => {
      const [hub, clone] = [join(at.dir, "..", `${name}.git`), join(at.dir, "..", name)];
      if (!existsSync(hub)) {
        git("clone", "--quiet", "--bare", ".", hub);
        git("clone", "--quiet", hub, clone);
        writeFileSync(count, "0\n");
        writeFileSync(join(meet, "did"), "");
      }
      const path = `${bin}:${at.env.PATH}`;
      const env = { ...at.env, PATH: path, COUNT: count, KILL: kill, REAL_GIT: Bun.which("git") ?? "git" };
      const { exitCode, output } = await run([binary, "run", "--shard=1/1"], { cwd: clone, env });
      return { exitCode, output, hub };
    };

    const whole = await life("whole", "never");
    expect([whole.exitCode, whole.output]).toEqual([0, expect.stringContaining("2 tasks handed in")]);
    const calls = Number(await Bun.file(count).text());
    expect(calls).toBeGreaterThan(20);
    for (let call = 1; call <= calls; call += STEP)
      for (const when of ["-", "+"]) {
        const name = `at-${call}${when === "-" ? "before" : "after"}`;
        await life(name, `${call}${when}`);
        const { exitCode, output, hub } = await life(name, "");
        const told = exitCode === 0 ? "" : output;
        expect({ name, exitCode, told }).toEqual({ name, exitCode: 0, told: "" });
        const claims = inHub(hub, "for-each-ref", "--format=%(contents)", "refs/ralph/claims")
          .split("\n")
          .filter(Boolean);
        expect(claims.map((claim) => JSON.parse(claim).state)).toEqual(["handed_in", "handed_in"]);
        for (const task of ["one", "two"]) {
          const branch = inHub(hub, "for-each-ref", "--format=%(refname)", `refs/heads/ralph/${task}-*`);
          expect(inHub(hub, "show", `${branch}:done/${task}`)).toContain(task);
        }
        expect(inHub(hub, "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
        expect(new Set(did())).toEqual(new Set(["one", "two"]));
      }
  },
  20 * 60_000,
);
