/** What else is done between a kill and the next run: it takes nothing away from what the killed one leaves. */
import { afterAll, describe, expect, test } from "bun:test";
import { done, works } from "../support/answers.ts";
import { git } from "../support/git.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const stuck = { hangs: true };

/** Lands the branch of that number. */
const land = (nth: number) => ["land", `side-${nth}`, "--untested"];

/** Two branches with a commit each. */
function withBranches(at: Project): void {
  for (const name of ["side-1", "side-2"]) {
    git(at, "checkout", "--quiet", "-b", name);
    at.write(name, `${name}\n`);
    git(at, "add", name);
    git(at, "commit", "--quiet", "-m", name);
    git(at, "checkout", "--quiet", "-");
  }
}

describe.skipIf(process.platform === "win32")("between a kill and the next run", () => {
  test.concurrent.each<[string, { between: string[][]; exits?: number[]; calls?: number }]>([
    ["ralph land", { between: [land(1)] }],
    ["ralph land, twice,", { between: [land(1), land(2)], exits: [0, 0] }],
    ["a reset and ralph land", { between: [["circuit", "reset"], land(1)], exits: [0, 0] }],
    [
      "a task of its own",
      { between: [["fix the colours", "--max-iterations", "1"], land(1)], exits: [4, 0], calls: 1 },
    ],
    ["what is said", { between: [["say", "use tabs"]] }],
    ["an undo", { between: [["undo"]] }],
    ["ralph stop", { between: [["stop"]], exits: [7] }],
  ])("%s gives the bounds back to nobody", async (_, about) => {
    const { between, exits = [0], calls = 0 } = about;
    const at = project({ steps: [works(1, { cost: 0.25 }), stuck, works(2), works(3), works(4)] });
    withBranches(at);
    const argv = ["run", "--max-iterations", "2"];
    const live = at.start(...argv);
    await until("a second call", () => at.calls().length === 2 && at.event("agent_started")?.iteration === 2);
    live.kill("SIGKILL");
    await live.ended;
    const ended: (number | null)[] = [];
    for (const words of between) ended.push((await at.ralph(...words)).exit);
    expect(ended).toEqual(exits);
    const { exit, stdout } = await at.ralph(...argv);
    expect({ exit, calls: at.calls().length }).toEqual({ exit: 4, calls: 2 + calls });
    expect(stdout.replace(/\s+/g, " ")).toContain("its 2 iterations and $0.25 count against the bounds");
    // That one ended properly, so it is over.
    await at.ralph(...argv);
    expect(at.calls()).toHaveLength(4 + calls);
  });

  test.concurrent.each([["resume"], ["run"]])(
    "ralph %s goes on with a killed task over a ralph land",
    async (command) => {
      const at = project({ steps: [stuck, done, done], files: { "src.txt": "0\n", ".gitignore": ".ralph/\n" } });
      withBranches(at);
      const live = at.start("fix the colours");
      await until("a call", () => at.calls().length === 1 && at.event("agent_started") !== undefined);
      live.kill("SIGKILL");
      await live.ended;
      for (const words of [land(1), land(2)]) expect((await at.ralph(...words)).exit).toBe(0);
      expect(at.event("landed")).toMatchObject({ branches: [{ name: "side-2" }] });
      const { exit, stderr } = await at.ralph(command);
      expect({ exit, stderr, task: at.event("run_started")?.task }).toMatchObject({ exit: 0, task: "fix the colours" });
      expect(await at.ralph("resume")).toMatchObject({ exit: 7, stderr: expect.stringContaining("is over") });
    },
  );
});
