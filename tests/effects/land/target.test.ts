/** Two that move the same target at once. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { openPlace } from "../../../src/effects/land/place.ts";
import { moveTarget } from "../../../src/effects/land/target.ts";
import { cleanUpLandings, landing } from "./landing.ts";

afterAll(cleanUpLandings);

/** A git whose merges wait for each other for a moment, so that two that may run at once do. */
const GIT = `#!/bin/sh
case " $* " in
*" merge "*)
  echo begin >> "$MET"
  n=0; until [ "$(grep -c begin "$MET")" -gt 1 ] || [ $n -gt 20 ]; do n=$((n+1)); sleep 0.02; done ;;
esac
exec "$REAL_GIT" "$@"
`;

test.skipIf(process.platform === "win32")(
  "one moves it, the other finds that it has moved, and nothing of the other lies uncommitted in the checkout",
  async () => {
    const at = landing({ "a.txt": "1\n" });
    const from = at.git("rev-parse", "main");
    const commits = [at.branch("one", { "one.txt": "1\n" }), at.branch("two", { "two.txt": "2\n" })];
    const bin = join(at.dir, "..", "bin");
    const met = join(at.dir, "..", "met");
    mkdirSync(bin);
    writeFileSync(met, "");
    writeFileSync(join(bin, "git"), GIT);
    chmodSync(join(bin, "git"), 0o755);
    const env = { ...at.env, PATH: `${bin}${delimiter}${at.env.PATH}`, REAL_GIT: Bun.which("git") ?? "", MET: met };
    const place = await openPlace({ project: at.dir, env, onto: "main", hub: null });
    const moves = await Promise.all(commits.map((to) => moveTarget(place, from, to, [])));
    expect(moves.map(({ kind }) => kind).sort()).toEqual(["done", "moved"]);
    expect(at.git("status", "--porcelain")).toBe("");
    expect(readFileSync(met, "utf8")).toBe("begin\n");
  },
);
