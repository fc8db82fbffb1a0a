/** A worker of `ralph run --shard` that is killed at each call of git, and begun again. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../scripts/lib/paths.ts";
import { run } from "../../scripts/lib/run-program.ts";
import { sharedPlan } from "../e2e/fleet/shared-plan.ts";
import { FSCK } from "../e2e/support/git.ts";
import { cleanUp } from "../e2e/support/harness.ts";
import { inLanes } from "./inject.ts";

afterAll(cleanUp);

/** Counts the calls of git, of which two may run at once, and kills ralph at the one that is asked for: before it (`-`) or after it (`+`). */
const GIT = `#!/bin/sh
read -r n < "$COUNT"; n=$((n + 1)); echo $n 1<> "$COUNT"
[ "$KILL" = "$n-" ] && kill -9 "$PPID" && exit 1
[ "$KILL" = "$n+" ] || exec "$REAL_GIT" "$@"
"$REAL_GIT" "$@"; code=$?
kill -9 "$PPID"
exit $code
`;
/** Every so many of the calls is one that strikes. */
const STEP = 5;

test.skipIf(process.platform === "win32")(
  "killed at any call of git, a worker goes on when it is begun again: both tasks are handed in, whole, and nothing is lost",
  async () => {
    const { at, git } = sharedPlan({ plan: "- [ ] one\n- [ ] two\n" });
    const bin = join(at.dir, "..", "git-bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), GIT);
    chmodSync(join(bin, "git"), 0o755);
    const template = join(at.dir, "..", "template");
    git("clone", "--quiet", "--bare", ".", join(template, "hub.git"));
    git("clone", "--quiet", join(template, "hub.git"), join(template, "clone"));

    /** A hub, a clone of it, and the folder of its agents. */
    const copy = (name: string) => {
      const folder = join(at.dir, "..", name);
      const [hub, clone, meet] = [join(folder, "hub.git"), join(folder, "clone"), join(folder, "meet")];
      cpSync(template, folder, { recursive: true, preserveTimestamps: true });
      const config = join(clone, ".git", "config");
      writeFileSync(config, readFileSync(config, "utf8").replace(template, folder));
      mkdirSync(meet);
      writeFileSync(join(meet, "count"), "0\n");
      return {
        calls: () => Number(readFileSync(join(meet, "count"), "utf8")),
        did: () => new Set(readFileSync(join(meet, "did"), "utf8").trim().split("\n")),
        inHub: (...words: string[]) => git("-C", hub, ...words),
        live: (kill: string | null) => {
          const counting = { PATH: `${bin}:${at.env.PATH}`, COUNT: join(meet, "count"), KILL: kill ?? "" };
          const strikes = kill === null ? {} : { ...counting, REAL_GIT: Bun.which("git") ?? "git" };
          return run([binary, "run", "--shard=1/1"], { cwd: clone, env: { ...at.env, MEET: meet, ...strikes } });
        },
      };
    };

    const undisturbed = copy("whole");
    const whole = await undisturbed.live("never");
    expect([whole.exitCode, whole.output]).toEqual([0, expect.stringContaining("2 tasks handed in")]);
    const calls = undisturbed.calls();
    expect(calls).toBeGreaterThan(20);
    const points = Array.from({ length: Math.ceil(calls / STEP) }, (_, nth) => nth * STEP + 1);
    await inLanes(
      points.flatMap((call) => [`${call}-`, `${call}+`]),
      async (kill) => {
        const { live, inHub, did } = copy(`at-${kill}`);
        await live(kill);
        const { exitCode, output } = await live(null);
        const told = exitCode === 0 ? "" : output;
        expect({ kill, exitCode, told }).toEqual({ kill, exitCode: 0, told: "" });
        const refs = inHub(
          "for-each-ref",
          "--format=%(refname) %(contents:subject)",
          "refs/ralph/claims",
          "refs/heads",
        );
        const claims = refs.match(/(?<=^refs\/ralph\/claims\/\S* ).*/gm) ?? [];
        expect(claims.map((claim) => JSON.parse(claim).state)).toEqual(["handed_in", "handed_in"]);
        const [one, two, ...more] = refs.match(/^refs\/heads\/ralph\/(?:one|two)-\S*/gm) ?? [];
        expect(more).toEqual([]);
        expect([one, two]).toEqual([expect.stringContaining("/one-"), expect.stringContaining("/two-")]);
        expect(inHub("show", `${one}:done/one`, `${two}:done/two`)).toMatch(/^(?:one\n)+two(?:\ntwo)*$/);
        expect(inHub(...FSCK)).toBe("");
        expect(did()).toEqual(new Set(["one", "two"]));
      },
    );
  },
  20 * 60_000,
);
