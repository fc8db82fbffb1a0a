/** The reader of ralph's output may leave or have no room for it: the run goes on. */
import { afterAll, describe, expect, test } from "bun:test";
import { works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { writeLongJournal } from "../support/long-journal.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const THREE = ["--max-iterations", "3"];
const steps = [works(1), works(2), works(3)];
const codeOf = (words: string) => ["sh", "-c", `("$@"; echo $? > .ralph/code) ${words}`, "sh"];

describe.skipIf(process.platform === "win32")("ralph's output", () => {
  test.concurrent.each([
    ["a reader that leaves after one line", "| head -1"],
    ["closed output streams", ">&- 2>&-"],
    ["a full disk", "> /dev/full 2> /dev/full"],
  ])("never stops a run: %s", async (_, words) => {
    const at = project({ steps });
    const { stderr } = await at.startUnder(codeOf(words), "run", ...THREE).ended;
    expect(at.read(".ralph/code")).toBe("4\n");
    expect(stderr).toBe("");
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations", calls: 3 });
  });

  test.concurrent.each([[["plan"]], [["plan", "--json"]]])(
    "that does not fit on the disk is reported, with 7: %j",
    async (argv) => {
      const at = project({ steps });
      const { exit, stderr } = await at.startUnder(["sh", "-c", 'exec "$@" > /dev/full', "sh"], ...argv).ended;
      expect({ exit, told: stderr.includes("ralph's output could not be written") }).toEqual({ exit: 7, told: true });
    },
  );

  test.concurrent("waits for a slow reader, which gets every byte of a long log", async () => {
    const at = project({ git: false });
    const bytes = writeLongJournal(at.dir, { iterations: 200, tools: 8, resultBytes: 500 });
    // The reader starts once the pipe is full, when an impatient ralph would have given up.
    const late = "| (while ! test -e .ralph/go; do sleep 0.01; done; wc -c)";
    const reading = at.startUnder(codeOf(late), "logs", "--json");
    const same = await at.ralph("logs", "--json", "0001");
    at.write(".ralph/go", "");
    expect(same.stdout.length).toBeGreaterThan(1_000_000);
    expect(Number((await reading.ended).stdout)).toBe(bytes);
  });

  test.concurrent("ends a follower once its reader leaves", async () => {
    const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }, { hangs: true }] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const { stdout } = await at.startUnder(codeOf("| (head -1; touch .ralph/go)"), "logs", "-f", "--json").ended;
    expect(JSON.parse(stdout)).toMatchObject({ type: "run_started" });
    live.kill("SIGTERM");
    expect((await live.ended).exit).toBe(143);
  });
});
