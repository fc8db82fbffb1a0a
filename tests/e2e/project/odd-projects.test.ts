import { afterAll, describe, expect, test } from "bun:test";
import { rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { answer, works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const ONE = ["--max-iterations", "1"];
const LONG = "Do it. ".repeat(150_000);

describe("a prompt", () => {
  test.concurrent.each([
    ["of a megabyte", LONG],
    ["with CRLF and a BOM", "\uFEFFDo the\r\nnext task.\r\n"],
    ["that begins like a flag", "--help me\n"],
    ["in all scripts", "Füge 日本語 und 🎈 hinzu\n"],
  ])("%s reaches the agent unchanged", async (_, prompt) => {
    const at = project({ files: { ".ralph/PROMPT.md": prompt }, steps: [works(1)] });
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.calls()[0]?.stdin.startsWith(prompt)).toBe(true);
  });

  test.concurrent("that the agent does not read is not a failure", async () => {
    const at = project({ files: { ".ralph/PROMPT.md": LONG }, steps: [{ ...works(1), deaf: true }] });
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.event("iteration_finished")?.outcome).toBe("answered");
  });
});

describe("a project", () => {
  test.concurrent("with blanks and special characters in the folder that -C names runs", async () => {
    const at = project({ files: { "a b'ü$/.ralph/PROMPT.md": "Do it.\n" }, steps: [works(1)] });
    expect((await at.ralph("run", "-C", "a b'ü$", ...ONE)).exit).toBe(4);
    expect(at.calls()[0]?.cwd).toBe(at.path("a b'ü$"));
    expect(at.has("a b'ü$/.ralph/status.json")).toBe(true);
    expect(at.has(".ralph")).toBe(false);
  });

  test.concurrent("whose .ralph is a dangling link is refused", async () => {
    const at = project({ files: { "a.txt": "" } });
    symlinkSync("gone", at.path(".ralph"));
    const ends = await Promise.all([at.ralph("setup", "--yes"), at.ralph("Mend it"), at.ralph("run")]);
    expect(ends.map(({ exit }) => exit)).toEqual([7, 7, 7]);
    for (const { stderr } of ends) expect(stderr).toContain(".ralph is a link that leads nowhere.");
  });

  test.concurrent("in the old flat layout runs", async () => {
    const at = project({ files: { "PROMPT.md": "Do it.\n", "@fix_plan.md": "- [ ] one\n" }, steps: [works(1)] });
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.event("iteration_started")?.plan).toMatchObject({ total: 1 });
  });

  test.concurrent("whose repository the agent deletes goes on, and its loss is told at once and at the end", async () => {
    const at = project({ steps: [{ ...works(1), files: { ".git": null, "new.txt": "1\n" } }, works(2)] });
    expect((await at.ralph("--max-iterations", "2")).exit).toBe(4);
    expect(at.event("iteration_finished")?.evidence).toMatchObject({ progress: true });
    const lost = "The project's git repository is gone: get it back before you go on.";
    expect(at.event("run_finished")?.sentence).toBe(`All 2 allowed iterations are used up. ${lost}`);
    const told = at.events().filter((event) => event.type === "note" && event.text === lost);
    expect(told).toHaveLength(1);
    expect((await at.ralph("status")).stdout.replace(/\s+/g, " ")).toContain(lost);
  });

  test.concurrent("whose branch an agent's call leaves goes on: that is told at once, to the next call, and at the end", async () => {
    const steps = [{ ...works(1), shell: "git checkout -q --detach" }, works(2)];
    const at = project({ steps: [...steps, { ...works(3), shell: "git checkout -q trunk" }, works(4)] });
    Bun.spawnSync(["git", "branch", "-m", "trunk"], { cwd: at.dir, env: at.env });
    expect((await at.ralph("--max-iterations", "2")).exit).toBe(4);
    const left =
      "HEAD is detached, and the run began on the branch trunk: what is committed since then is on no branch. Check trunk out again, and take that along.";
    const told = (nth: number) => at.events(nth).filter((event) => event.type === "note" && event.text === left).length;
    expect([told(1), at.event("run_finished")?.sentence]).toEqual([1, `All 2 allowed iterations are used up. ${left}`]);
    const asked = "HEAD was on the branch trunk when this run began, and is on none now";
    expect(at.calls().map(({ stdin }) => stdin.includes(asked))).toEqual([false, true]);
    // Who begins there means it so, and who comes back is not told of it.
    expect((await at.ralph("--max-iterations", "2")).exit).toBe(4);
    expect([told(2), at.event("run_finished")?.sentence]).toEqual([0, "All 2 allowed iterations are used up."]);
    expect(at.calls().map(({ stdin }) => stdin.includes(asked))).toEqual([false, true, false, false]);
  });

  test.concurrent("whose run is killed while HEAD is detached goes on: that is told at its start, to each call, and at its end", async () => {
    const at = project({ steps: [{ shell: "git checkout -q --detach", hangs: true }, works(2)] });
    Bun.spawnSync(["git", "branch", "-m", "trunk"], { cwd: at.dir, env: at.env });
    const live = at.start("--max-iterations", "2");
    await until("HEAD is detached", () => !at.read(".git/HEAD").startsWith("ref:"));
    live.kill("SIGKILL");
    await live.ended;
    expect((await at.ralph("--max-iterations", "2")).exit).toBe(4);
    const left =
      "HEAD is detached, and the run began on the branch trunk: what is committed since then is on no branch. Check trunk out again, and take that along.";
    const told = at
      .events()
      .flatMap((event) => (event.type === "note" && event.text === left ? [event.iteration] : []));
    expect([told, at.event("run_finished")?.sentence]).toEqual([[0], expect.stringContaining(left)]);
    expect(at.calls().at(-1)?.stdin).toContain("HEAD was on the branch trunk when this run began");
    // Who begins there after that end means it so.
    await at.ralph(...ONE);
    expect(at.event("run_finished")?.sentence).not.toContain(left);
  });

  test.concurrent("in which a killed git left its lock file goes on: that is told before the first call, at the end, and among what needs a person", async () => {
    const at = project({ steps: [works(1), works(2)] });
    const lock = at.path(".git/index.lock");
    at.write(".git/index.lock", "");
    const { mtimeMs } = statSync(lock);
    utimesSync(lock, (mtimeMs - 60_000) / 1000, (mtimeMs - 60_000) / 1000);
    const { stdout } = await at.ralph("--max-iterations", "2");
    const text = `A lock file of git keeps everybody from committing: ${lock}. Remove it, unless a git is at work in the repository.`;
    const told = (nth: number) => at.events(nth).filter(({ type }) => type === "git_step" || type === "agent_started");
    expect(told(1).map((event) => event.type === "git_step" && event.text)).toEqual([text, false, false]);
    expect(at.event("run_finished")?.sentence).toBe(`All 2 allowed iterations are used up. ${text}`);
    expect(stdout.replace(/\s+/g, " ")).toContain("Needs you (1)");
    expect((await at.ralph("inbox")).stdout).toContain(`${text}\n    rm ${lock}\n`);
    const report = JSON.parse((await at.ralph("report", "--json")).stdout);
    expect(report.iterations.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
    rmSync(lock);
    await at.ralph(...ONE);
    expect(told(2)).toHaveLength(1);
    expect((await at.ralph("inbox")).stdout).toContain("Nothing needs you.");
  });

  test.concurrent("in which an agent's killed git leaves its lock file is told at the end, and once it is gone no more", async () => {
    const leaves = { ...works(1), shell: "touch .git/index.lock" };
    const at = project({ steps: [leaves, { ...works(2), shell: "rm .git/index.lock" }] });
    expect((await at.ralph(...ONE)).stdout.replace(/\s+\[[^\]]*\]\s+|\s+/g, " ")).toContain("rm ");
    expect(at.event("git_step")).toMatchObject({
      step: "index",
      result: "failed",
      command: `rm ${at.path(".git/index.lock")}`,
    });
    const past = Date.now() / 1000 - 60;
    utimesSync(at.path(".git/index.lock"), past, past);
    await at.ralph(...ONE);
    expect(at.events().flatMap((event) => (event.type === "git_step" ? [event.result] : []))).toEqual([
      "failed",
      "done",
    ]);
    expect(at.event("run_finished")?.sentence).toBe("The one allowed iteration is used up.");
  });

  test.concurrent("that the agent turns into a repository goes on", async () => {
    const at = project({
      git: false,
      steps: [{ ...works(1), shell: "git init -q && git add -A && git commit -qm x" }, works(2)],
    });
    expect((await at.ralph("--max-iterations", "2")).exit).toBe(4);
    expect(at.event("iteration_finished")?.evidence).toMatchObject({ files_changed: ["src/2.txt"] });
  });
});

/** A user of a container: a number that the system has no name and no home for. */
const stranger = [
  "unshare",
  "--user",
  "--map-user=54321",
  "--map-group=54321",
  "env",
  "-u",
  "HOME",
  "-u",
  "USERPROFILE",
];
const canBeStranger = process.platform === "linux" && Bun.spawnSync([...stranger, "true"]).success;

test.skipIf(!canBeStranger)("a user without a name and a home runs a project", async () => {
  const at = project({ steps: [works(1)] });
  const { exit, stderr } = await at.startUnder(stranger, "run", ...ONE).ended;
  expect({ exit, stderr }).toEqual({ exit: 4, stderr: "" });
  expect((await at.startUnder(stranger, "status").ended).exit).toBe(0);
});

test.skipIf(!canBeStranger)(
  "a plan that nobody may read any more ends the run, whatever its agent says is done",
  async () => {
    const says = answer({ status: "COMPLETE", exit: true });
    const at = project({
      steps: [{ ...works(1), stdout: says, shell: "chmod 000 .ralph/@fix_plan.md" }, { stdout: says }],
    });
    expect((await at.startUnder(stranger, "run").ended).exit).toBe(7);
    expect(at.calls()).toHaveLength(1);
    const sentence = expect.stringContaining("@fix_plan.md cannot be read: permission is denied");
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "environment_error", sentence });
  },
);

test.concurrent("a plan that becomes UTF-16 during a run ends it, and is not taken for one without boxes", async () => {
  const says = answer({ status: "COMPLETE", exit: true });
  const shell = "printf '%b' '\\0377\\0376-\\0000 \\0000[\\0000 \\0000]\\0000 \\0000a\\0000' > .ralph/@fix_plan.md";
  const at = project({ steps: [{ ...works(1), stdout: says, shell }, { stdout: says }] });
  expect((await at.ralph("run")).exit).toBe(7);
  expect(at.calls()).toHaveLength(1);
  const sentence = expect.stringContaining("@fix_plan.md is not UTF-8 text.");
  expect(at.event("run_finished")).toMatchObject({ stop_reason: "environment_error", sentence });
});

describe("an answer", () => {
  test.concurrent.each([
    ["bytes that are not text", "\u0000\uFFFF\u001b[2J\u0007{\n"],
    ["JSON that is not an event", 'null\n42\n[]\n[null]\n"x"\n{}\n'],
    ["a line without an end", '{"type":"assistant","message":'],
    ["nothing but line ends", "\n\r\n\n"],
  ])("after %s is read", async (_, noise) => {
    const at = project({ steps: [{ ...works(1), stdout: `${noise}${noise.endsWith("\n") ? "" : "\n"}${answer()}` }] });
    const { exit, stdout } = await at.ralph(...ONE);
    expect(exit).toBe(4);
    expect(at.event("iteration_finished")?.outcome).toBe("answered");
    expect(stdout).not.toContain("\u001b");
  });

  test.concurrent("that never comes is an infrastructure failure and does not move the breaker", async () => {
    const at = project({ steps: [{ exit: 0 }] });
    const { exit } = await at.ralph(...ONE);
    expect(exit).toBe(4);
    expect(at.event("agent_finished")).toMatchObject({ ok: false, error: { class: "infrastructure" } });
    expect(JSON.parse(at.read(".ralph/.circuit_breaker_state"))).toMatchObject({ consecutive_no_progress: 0 });
  });
});

test("the colours of a prompt and of a setting are shown as characters, and hide no word", async () => {
  const hidden = "\u001b[30m\u001b[40mhidden";
  const shown = "\\u001b[30m\\u001b[40mhidden";
  const at = project({
    files: { ".ralph/PROMPT.md": `Do it. ${hidden}\n`, ".ralph/.ralphrc": `PROJECT_NAME='${hidden}'\n` },
  });
  for (const argv of [["prompt"], ["run", "--dry-run"], ["config"], ["config", "get", "PROJECT_NAME"]]) {
    const { stdout } = await at.ralph(...argv);
    expect({ argv, stdout }).toEqual({ argv, stdout: expect.stringContaining(shown) });
    expect({ argv, stdout }).toEqual({ argv, stdout: expect.not.stringContaining("\u001b") });
  }
});
