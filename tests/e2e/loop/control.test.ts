import { describe, expect, test } from "bun:test";
import { readFileSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { binary, root } from "../../../scripts/lib/paths.ts";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { works } from "../support/answers.ts";
import { lives, project } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";
import { until } from "../support/until.ts";

const held = (n: number) => ({ ...works(n), waits_for: `.ralph/go${n}` });

describe.concurrent("steering a run from another terminal", () => {
  test("say, pause, resume, extend and stop do what they say", async () => {
    const at = project({ steps: [held(1), works(2), held(3)] });
    const live = at.start("--max-iterations", "2");
    await until("a call", () => at.calls().length === 1);
    expect((await at.ralph("say", "Use", "yargs")).stdout).toContain("next prompt");
    expect((await at.ralph("pause")).exit).toBe(0);
    at.write(".ralph/go1", "");
    await until("the pause", () => at.event("wait_started")?.why === "paused");
    await until("status.json says so", () => at.status().status === "paused");
    expect(JSON.parse((await at.ralph("status", "--json")).stdout)).toMatchObject({
      status: "running",
      phase: "paused",
    });
    expect((await at.ralph("extend", "3")).exit).toBe(0);
    expect((await at.ralph("resume")).exit).toBe(0);
    await until("the third call, beyond the old bound", () => at.calls().length === 3);
    expect(at.calls()[1]?.stdin).toContain("The user of ralph says:\nUse yargs");
    expect(at.calls()[2]?.stdin).not.toContain("yargs");
    await at.ralph("stop");
    await at.ralph("stop", "--withdraw");
    await at.ralph("stop", "--now");
    expect((await live.ended).exit).toBe(0);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "stopped_by_user" });
    const told = at
      .events()
      .filter((event): event is Extract<RalphEvent, { type: "stop_requested" }> => event.type === "stop_requested");
    expect(told.map(({ how, by }) => [how, by])).toEqual([
      ["after_iteration", "user"],
      ["now", "user"],
    ]);
    expect(at.has(".ralph/control")).toBe(false);
  });

  test.each(["say x", "stop", "pause", "resume", "extend"])("%s is refused without a live run", async (words) => {
    const at = project();
    const { exit, stderr } = await at.ralph(...words.split(" "));
    expect(exit).toBe(7);
    expect(stderr).toContain("No run is live in this project.");
    // Without a run that it could go on with, `resume` begins none.
    if (words !== "resume" && words !== "say x") expect(stderr).toContain("ralph ps");
  });

  test("what is said after a run is kept for the next one", async () => {
    const at = project({ steps: [works(1), works(2)] });
    await at.ralph("run", "--max-iterations", "1");
    const { exit, stdout } = await at.ralph("say", "Use", "yargs");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("No run is live: it goes into the first prompt")]);
    await at.ralph("run", "--max-iterations", "1");
    expect(at.calls()[0]?.stdin).not.toContain("Use yargs");
    expect(at.calls()[1]?.stdin).toContain("Use yargs");
  });

  test("an agent may not steer the run that it works for", async () => {
    const at = project({ env: { RALPH_RUN: "0001-x" } });
    const { exit, stderr } = await at.ralph("stop");
    expect(exit).toBe(7);
    expect(stderr).toContain("An agent may not steer the run");
  });

  test.skipIf(process.platform === "win32")(
    "a run whose folder was moved is stopped from where it is now",
    async () => {
      const at = project({ steps: [{ hangs: true }] });
      const live = at.start();
      await until("a call", () => at.calls().length === 1);
      const moved = `${at.dir}-moved`;
      renameSync(at.dir, moved);
      const stop = Bun.spawn([binary, "stop", "--now"], { cwd: moved, env: at.env, stdout: "pipe", stderr: "pipe" });
      expect([await stop.exited, await new Response(stop.stderr).text()]).toEqual([0, ""]);
      await live.ended;
      expect(at.calls().map(({ pid }) => lives(pid))).toEqual([false]);
    },
  );

  test.skipIf(process.platform === "win32")("a run whose folder is deleted ends, and with it its agent", async () => {
    const at = project({ steps: [{ hangs: true }] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    rmSync(at.dir, { recursive: true });
    const { exit, stdout } = await live.ended;
    expect([exit, stdout.replaceAll(/\s+/g, " ")]).toEqual([7, expect.stringContaining("files_deleted (exit 7)")]);
    expect([at.calls().map(({ pid }) => lives(pid)), at.has(".")]).toEqual([[false], false]);
  });

  test("extend leaves a run without a bound on iterations unchanged", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const { exit, stderr } = await at.ralph("extend");
    expect(exit).toBe(7);
    expect(stderr).toContain("no bound on iterations");
    live.kill("SIGTERM");
    await live.ended;
  });

  test("a command that changes nothing is answered in one line and not recorded", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    const said = async (...words: string[]) => (await at.ralph(...words)).stdout;
    expect(await said("resume")).toBe("The run is not paused.\n");
    expect(await said("stop", "--withdraw")).toBe("No stop was asked for: the run goes on.\n");
    expect(await said("pause")).toContain("Pausing after iteration 1");
    expect(await said("pause")).toContain("already paused");
    expect(await said("stop")).toContain("Stopping after iteration 1");
    expect(await said("stop")).toContain("already stops after this iteration");
    expect(await said("say", "x")).toContain("the next run's");
    at.write(".ralph/go1", "");
    expect((await live.ended).exit).toBe(0);
    const steered = at.events().map(({ type }) => type);
    expect(steered.filter((type) => /^(?:said|paused|resumed|stop_)/.test(type))).toEqual([
      "paused",
      "stop_requested",
      "said",
    ]);
  });

  test("all of many simultaneous messages arrive", async () => {
    const at = project({ steps: [held(1), works(2)] });
    const live = at.start("--max-iterations", "2");
    await until("a call", () => at.calls().length === 1);
    const words = Array.from({ length: 8 }, (_, n) => `word-${n}-said`);
    expect((await Promise.all(words.map((word) => at.ralph("say", word)))).map(({ exit }) => exit)).toEqual(
      words.map(() => 0),
    );
    at.write(".ralph/go1", "");
    await live.ended;
    const prompt = at.calls()[1]?.stdin ?? "";
    expect(words.filter((word) => !prompt.includes(word))).toEqual([]);
  });

  test("a paused run can be talked to, and stopped", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    await at.ralph("pause");
    at.write(".ralph/go1", "");
    await until("the pause", () => at.event("wait_started")?.why === "paused");
    expect((await at.ralph("say", "x")).stdout).toContain("The run is paused");
    expect((await at.ralph("stop")).stdout).toBe("Stopping.\n");
    expect((await live.ended).exit).toBe(0);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "stopped_by_user", iterations: 1 });
  });

  test("a pause replaces a wait, which goes on afterwards", async () => {
    const at = project({
      env: { RALPH_DEMO_SCRIPT: "script.json" },
      files: { ".ralph/PROMPT.md": "x\n", ".ralph/.ralphrc": "PLATFORM_DRIVER=demo\n" },
    });
    const limit = { limit: { resets_in_ms: 60_000, message: "Usage limit reached" } };
    at.write("script.json", JSON.stringify({ iterations: [limit] }));
    const live = at.start();
    const waitsFor = (why: string) =>
      until(why, () => at.events().at(-1)?.type === "wait_started" && at.event("wait_started")?.why === why);
    await waitsFor("usage_limit");
    expect((await at.ralph("pause")).stdout).toContain("Paused");
    await waitsFor("paused");
    await at.ralph("resume");
    await waitsFor("usage_limit");
    expect((await at.ralph("stop")).stdout).toBe("Stopping.\n");
    expect((await live.ended).exit).toBe(0);
  });

  test.skipIf(process.platform === "win32")("a command to a killed run is refused with the reason", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    live.kill("SIGKILL");
    await live.ended;
    const { exit, stderr } = await at.ralph("pause");
    expect({ exit, said: stderr.split("\n")[0] }).toEqual({ exit: 7, said: "ralph: No run is live in this project." });
  });

  test.skipIf(process.platform === "win32")("a suspended run hears nothing, and the sender is told", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    live.kill("SIGSTOP");
    const late = await at.ralph("say", "late");
    expect(late.exit).toBe(7);
    expect(late.stderr).toContain("does not answer just now, and has not heard this");
    live.kill("SIGKILL");
    await live.ended;
    expect(at.event("said")).toBeUndefined();
  });

  test("a file that an agent puts where earlier versions looked for commands is set aside and told, not obeyed", async () => {
    const forged = (run: string) => JSON.stringify({ run, command: { command: "extend", iterations: 5 } });
    const shell = `mkdir .ralph/control; echo '${forged("RUN")}' | sed "s/RUN/$(ls .ralph/runs)/" >.ralph/new; mv .ralph/new .ralph/control/000000000000001-1-ab.json; sleep 1.5`;
    const at = project({ steps: [{ ...works(1), shell }] });
    await at.ralph("--max-iterations", "1");
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations", iterations: 1 });
    expect(at.event("bound_raised")).toBeUndefined();
    const told = at.events().flatMap((event) => (event.type === "note" ? [event.text] : []));
    expect(told.filter((text) => text.includes(".ralph/control"))).toHaveLength(1);
    expect(at.has(".ralph/control")).toBe(false);
    const kept = at.path(`.ralph/runs/${at.runs()[0]}/kept/control.added-1`);
    expect(readFileSync(`${kept}/000000000000001-1-ab.json`, "utf8")).toContain("extend");
  });

  test.skipIf(process.platform !== "linux")(
    "an agent that speaks to the run by itself is refused and told",
    async () => {
      const steer = `'${process.execPath}' '${join(root, "tests/agents/steer.ts")}' "$PWD" "$(ls .ralph/runs)" honest`;
      const at = project({ steps: [{ ...works(1), shell: `env -i setsid ${steer} >answer` }] });
      await at.ralph("--max-iterations", "1");
      expect(JSON.parse(at.read("answer"))).toEqual({ refused: "it belongs to the agent" });
      expect(at.event("said")).toBeUndefined();
      expect(at.events().flatMap((event) => (event.type === "note" ? [event.text] : []))).toContain(
        "Refused the command say that a process sent to this run: it belongs to the agent.",
      );
    },
  );

  test.skipIf(process.platform !== "linux")("an agent without its marker may not steer its run either", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.event("agent_started") !== undefined);
    const mark = `RALPH_RUN=${at.event("agent_started")?.marker}`;
    const below = ["env", mark, "sh", "-c", 'env -u RALPH_RUN "$@"; exit $?', "sh"];
    const { exit, stderr } = await at.startUnder(below, "stop").ended;
    expect(exit).toBe(7);
    expect(stderr).toContain("An agent may not steer the run");
    // Another run's agent may steer this one.
    const other = ["env", "RALPH_RUN=0009-x", "sh", "-c", 'env -u RALPH_RUN "$@"; exit $?', "sh"];
    expect((await at.startUnder(other, "stop", "--now").ended).exit).toBe(0);
    expect((await live.ended).exit).toBe(0);
  });

  test("the messages of an interrupted iteration are sent again by the next run", async () => {
    const at = project({ steps: [held(1), works(2)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    await at.ralph("say", "Mind the gap");
    live.kill("SIGTERM");
    await live.ended;
    await at.ralph("--max-iterations", "1");
    expect(at.calls()[1]?.stdin).toContain("Mind the gap");
  });
});

describe.skipIf(process.platform === "win32").concurrent("ralph run --detach", () => {
  test("goes on without its terminal; attach shows it, and leaving stops nothing", async () => {
    const at = project({ steps: [held(1)] });
    const first = onTerminal(["run", "--detach", "--max-iterations", "1"], { cwd: at.dir, env: at.env });
    expect(await first.exited).toBe(0);
    expect(first.normal()).toContain("ralph attach");
    await until("a call", () => at.calls().length === 1);
    const { pid } = JSON.parse(at.read(".ralph/lock")) as { pid: number };
    expect(lives(pid)).toBe(true);

    const screen = onTerminal(["attach"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 1 of 1");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(lives(pid)).toBe(true);
    at.write(".ralph/go1", "");
    await until("the end", () => at.event("run_finished") !== undefined);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations" });
  });

  test("shows the background run on the dashboard with -m", async () => {
    const at = project({ steps: [held(1)] });
    const screen = onTerminal(["run", "-m", "--detach"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 1");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    const { pid } = JSON.parse(at.read(".ralph/lock")) as { pid: number };
    expect(lives(pid)).toBe(true);
    expect((await at.ralph("stop", "--now")).exit).toBe(0);
    await until("the end", () => !lives(pid));
  });

  test.skipIf(process.platform !== "linux")("outlives a hang-up of its terminal's processes", async () => {
    const at = project({ steps: [held(1)] });
    await at.ralph("run", "--detach", "--max-iterations", "1");
    const { pid } = JSON.parse(at.read(".ralph/lock")) as { pid: number };
    const [session] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(3, 4) ?? [];
    // A closing terminal hangs up its own session. The run has another session and no terminal.
    expect(Number(session)).toBe(pid);
    expect(readlinkSync(`/proc/${pid}/fd/0`)).toBe("/dev/null");
    at.write(".ralph/go1", "");
    await until("the end", () => at.event("run_finished") !== undefined);
  });

  test("reports bad settings in this terminal, with the exit code, and leaves nothing behind", async () => {
    const at = project({ files: { ".ralph/PROMPT.md": "x\n", ".ralph/.ralphrc": "MAX_CALLS_PER_HOUR=many\n" } });
    const { exit, stdout, stderr } = await at.ralph("run", "--detach");
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain("MAX_CALLS_PER_HOUR");
    expect([at.has(".ralph/runs"), at.has(".ralph/lock")]).toEqual([false, false]);
  });

  test("reports why a run cannot start, with the run's own exit code", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("a call", () => at.calls().length === 1);
    at.write(".ralph/.ralphrc", "MAX_CALS=1\n");
    const { exit, stderr } = await at.ralph("run", "--detach");
    expect(exit).toBe(7);
    expect(stderr.split("MAX_CALS")).toHaveLength(2);
    expect(stderr).toContain("is running in this project");
    expect(stderr).toContain("ralph status, or stop it with: ralph stop");
    live.kill("SIGTERM");
    await live.ended;
  });
});

test("ralph run --json prints the journal and nothing else", async () => {
  const at = project({ steps: [works(1)] });
  const { stdout } = await at.ralph("run", "--json", "--max-iterations", "1");
  expect(stdout.trimEnd().split("\n")).toEqual(at.events().map((event) => JSON.stringify(event)));
});
