/** How a sandboxed run begins, ends and is ended. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../support/git.ts";
import { cleanUp, type Project } from "../support/harness.ts";
import { SOON_MS, until } from "../support/until.ts";
import { AGENT } from "./agent.ts";
import { engines } from "./engines.ts";
import { processesWith, sandboxedProject } from "./sandboxed-project.ts";

afterAll(cleanUp);

const LONG = 80_000 + (process.pid % 10_000);
const HANGS = `touch started; setsid sh -c 'sleep ${LONG}' & sleep ${LONG}\n`;
const left = () => processesWith(`sleep\0${LONG}`);

describe.each(engines)("a run in a sandbox of $name", ({ engine, flags, env }) => {
  test("lets the agent work: files, commits, the plan, a private temporary folder", async () => {
    const script = `echo b > src/a.txt; git add -A; git commit -qm work; sed -i 's/\\[ \\] one/[x] one/' .ralph/@fix_plan.md; echo p > /tmp/own; echo n > .ralph/specs/two.md\n`;
    const made = sandboxedProject(script, env);
    const { exit, stdout } = await made.ralph("run", "--trust", "--max-iterations", "1", ...flags);
    expect(exit).toBe(4);
    expect(stdout).toContain(`sandbox ${engine === "os" ? "os (bubblewrap)" : engine}, `);
    expect(made.event("iteration_finished")?.evidence).toMatchObject({ subject: "work", plan_delta: 1 });
    expect(made.has(".ralph/specs/two.md")).toBe(true);
    expect(stdout).toContain("Go on with: ralph resume");
    expect(made.event("run_started")?.words).toEqual([`--sandbox=${engine}`, "--trust", "--max-iterations=1"]);
    expect(made.event("run_started")?.sandbox).toContain("sandbox ");
  });

  test("says that the agent has no git in a project below its repository's root, and --commit commits its work alone", async () => {
    const made = sandboxedProject("", env);
    const script = "git status >git.out 2>&1; git add -A; git commit -qm all; echo x > work.txt\n";
    made.write("sub/probe.sh", script);
    made.write("sub/.ralph/PROMPT.md", "Do the next task.\n");
    git(made, "add", "-A");
    git(made, "commit", "-qm", "sub");
    const words = ["-C", made.path("sub"), "--trust", "--commit", "--max-iterations", "1"];
    const { exit, stdout } = await made.ralph("run", ...words, ...flags);
    expect(exit).toBe(4);
    expect(stdout.replace(/\s*\n\[.*?\]\s*/g, " ")).toContain("no git for the agent, as the project lies below");
    expect(made.read("sub/git.out")).toContain("not a git repository");
    const changed = git(made, "diff", "--name-status", "HEAD~1").split("\n");
    expect(changed).toContain("A\tsub/work.txt");
    expect(changed.filter((line) => line.startsWith("D"))).toEqual([]);
  });

  test("lets in a variable that SANDBOX_ENV names, and no other secret", async () => {
    const script = `echo "$PROVIDER_KEY,$OTHER_KEY" > src/a.txt\n`;
    const secrets = { SANDBOX_ENV: "PROVIDER_KEY", PROVIDER_KEY: "let-in-4711", OTHER_KEY: "kept-out-4711" };
    const made = sandboxedProject(script, { ...env, ...secrets });
    expect((await made.ralph("run", "--trust", "--max-iterations", "1", ...flags)).exit).toBe(4);
    expect(made.read("src/a.txt")).toBe("let-in-4711,\n");
  });

  test("serves one call after the other", async () => {
    const made = sandboxedProject("echo x >> src/a.txt; sleep 99 >/dev/null 2>&1 &\n", env);
    const { exit } = await made.ralph("run", "--trust", "--max-iterations", "3", ...flags);
    expect(exit).toBe(4);
    const ends = made.events().flatMap((event) => (event.type === "agent_finished" ? [event.outcome] : []));
    expect(ends).toEqual(["ok", "ok", "ok"]);
    expect(made.read("src/a.txt")).toBe("a\nx\nx\nx\n");
  });

  test("starts again where a run has left its state, some of which ralph removes just then", async () => {
    const made = sandboxedProject("echo x >> src/a.txt\n", env);
    for (let run = 0; run < 3; run += 1)
      expect((await made.ralph("run", "--trust", "--max-iterations", "1", ...flags)).exit).toBe(4);
    expect(made.read("src/a.txt")).toBe("a\nx\nx\nx\n");
  });

  test("leaves nothing when the call takes too long", async () => {
    const made = sandboxedProject(HANGS, env);
    await made.ralph("run", "--trust", "--max-iterations", "1", "--timeout", "2s", ...flags);
    expect(made.event("agent_finished")?.outcome).toBe("timed_out");
    expect(left()).toEqual([]);
  });

  test("leaves nothing two seconds after ralph was killed", async () => {
    const made = sandboxedProject(HANGS, env);
    const live = made.start("run", "--trust", "--max-iterations", "1", ...flags);
    await until("the agent works", () => made.has("started") && left().length > 0);
    live.kill("SIGKILL");
    await live.ended;
    await until("the agent is gone", () => left().length === 0, SOON_MS);
    if (engine !== "os") await until("the container is gone", () => ownContainers(made).length === 0, SOON_MS);
  });

  test("stops at a signal", async () => {
    const made = sandboxedProject(HANGS, env);
    const live = made.start("run", "--trust", ...flags);
    await until("the agent works", () => made.has("started") && left().length > 0);
    live.kill("SIGTERM");
    expect((await live.ended).exit).toBe(143);
    expect(left()).toEqual([]);
  });
});

/** Puts a script in place of podman, whose words Docker's stand-in has, too. */
function engineThat({ out }: { out: string }, script: string): void {
  writeFileSync(join(out, "bin/podman"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(out, "bin/podman"), 0o755);
}

test.each([
  ["echo 'cannot connect' >&2; exit 125", "podman does not answer: cannot connect"],
  ["[ $1 = version ]", "The image ralph-sandbox-claude-code is not here."],
])("an engine that fails is told by what fails (%#)", async (script, told) => {
  const made = sandboxedProject("");
  engineThat(made, script);
  const { exit, stderr } = await made.ralph("run", "--trust", "--sandbox=podman");
  expect({ exit, stderr }).toEqual({ exit: 7, stderr: expect.stringContaining(told) });
});

test("a stop ends a run whose engine does not come to an end with the container", async () => {
  const made = sandboxedProject("");
  engineThat(made, `[ "$1" = run ] || exit 0\ntouch '${made.out}/asked'\nexec sleep ${LONG}`);
  const live = made.start("run", "--trust", "--sandbox=podman");
  await until("the engine is asked for a container", () => made.has("../asked"));
  live.kill("SIGTERM");
  expect((await live.ended).exit).toBe(143);
  expect(made.event("run_finished")?.stop_reason).toBe("terminated");
  for (const pid of left()) process.kill(pid, "SIGKILL");
});

// In a container the program is the image's.
describe.each(engines.filter(({ engine }) => engine === "os"))("a sandbox of $name", ({ flags, env }) => {
  test.each(["home/agent.sh", "agent.sh", "home/link"])("finds the agent at %s", async (path) => {
    const made = sandboxedProject("echo x >> src/a.txt\n", env);
    const real = path.endsWith("link") ? "home/below/agent.sh" : path;
    made.write(`../${real}`, AGENT);
    chmodSync(join(made.out, real), 0o755);
    if (real !== path) symlinkSync("below/agent.sh", join(made.out, path));
    made.env.CLAUDE_CODE_CMD = join(made.out, path);
    expect((await made.ralph("run", "--trust", "--max-iterations", "1", ...flags)).exit).toBe(4);
    expect(made.read("src/a.txt")).toBe("a\nx\n");
  });
});

const containers = engines.filter(({ engine }) => engine !== "os");

describe.each(containers)("a container of $name", ({ flags, env }) => {
  test("is one for all calls, and its engine is asked no more than it needs", async () => {
    const made = sandboxedProject("echo x >> src/a.txt\n", env);
    engineThat(made, `echo "$1" >> '${made.out}/asked'; exec '${Bun.which("podman")}' "$@"`);
    expect((await made.ralph("run", "--trust", "--max-iterations", "2", ...flags)).exit).toBe(4);
    expect(made.read("src/a.txt")).toBe("a\nx\nx\n");
    const call = ["exec", "exec"];
    expect(made.read("../asked").trim().split("\n")).toEqual(["image", "ps", "run", ...call, ...call, "rm"]);
  });

  test("is another one after somebody removed it in the middle of a call", async () => {
    const work = "echo x >> src/a.txt; touch started; while [ ! -e go ]; do sleep 0.1; done\n";
    const made = sandboxedProject(work, env);
    const live = made.start("run", "--trust", "--max-iterations", "3", ...flags);
    await until("the agent works", () => made.has("started"));
    const first = ownContainers(made);
    Bun.spawnSync(["podman", "rm", "-f", "-t", "0", ...first], { env: made.env });
    made.write("go", "");
    expect((await live.ended).exit).toBe(4);
    const ends = made.events().flatMap((event) => (event.type === "agent_finished" ? [event.outcome] : []));
    expect(first).toHaveLength(1);
    expect(ends).toEqual(["failed", "ok", "ok"]);
    expect(made.read("src/a.txt")).toBe("a\nx\nx\nx\n");
    expect(ownContainers(made)).toEqual([]);
  });

  test("is made for a folder with a comma and quotes in its name", async () => {
    const made = sandboxedProject("echo x >> src/a.txt\n", env);
    const odd = made.path('../a, "b"');
    cpSync(made.dir, odd, { recursive: true });
    const { exit } = await made.ralph("run", "-C", odd, "--trust", "--max-iterations", "1", ...flags);
    expect(exit).toBe(4);
    expect(readFileSync(join(odd, "src/a.txt"), "utf8")).toBe("a\nx\n");
  });

  test("has the limits that are set", async () => {
    const made = sandboxedProject(HANGS, { ...env, SANDBOX_MEMORY: "300m", SANDBOX_CPUS: "1.5" });
    const live = made.start("run", "--trust", "--max-iterations", "1", ...flags);
    await until("the agent works", () => made.has("started"));
    const [id = ""] = Bun.spawnSync(["podman", "ps", "--format", "{{.Names}}"], { env: made.env })
      .stdout.toString()
      .split("\n")
      .filter((name) => name.startsWith(`ralph-${made.runs()[0]}`.toLowerCase()));
    const shown = Bun.spawnSync(["podman", "inspect", id], { env: made.env }).stdout.toString();
    live.kill("SIGTERM");
    await live.ended;
    const [{ HostConfig }] = JSON.parse(shown);
    expect(HostConfig).toMatchObject({
      Memory: 300 * 1024 * 1024,
      NanoCpus: 1_500_000_000,
      PidsLimit: 2048,
      ReadonlyRootfs: true,
    });
  });
});

/** Those of a project's first run: beside it others may have theirs. */
function ownContainers({ env, runs }: Project): string[] {
  const listed = Bun.spawnSync(["podman", "ps", "-a", "--format", "{{.Names}}"], { env }).stdout.toString();
  return listed.split("\n").filter((name) => name.startsWith(`ralph-${runs()[0]}`.toLowerCase()));
}

describe("a sandbox that cannot work here", () => {
  test("ends the start with what to install, and falls back to nothing", async () => {
    const made = sandboxedProject("touch started\n");
    const bin = join(made.out, "few");
    mkdirSync(bin);
    for (const program of ["sh", "git", "cat"]) symlinkSync(Bun.which(program) ?? "", join(bin, program));
    made.env.PATH = `${join(made.out, "bin")}:${bin}`;
    const { exit, stderr } = await made.ralph("run", "--trust", "--sandbox");
    expect(exit).toBe(7);
    expect(stderr).toContain("SANDBOX=os needs bubblewrap and socat, which are not installed.");
    expect(made.has("started")).toBe(false);
    expect(made.runs()).toEqual([]);
  });

  test("is told by the doctor", async () => {
    const made = sandboxedProject("", { SANDBOX: "podman", SANDBOX_IMAGE: "localhost/no-such-image" });
    const { stdout } = await made.ralph("doctor", "--json");
    const row = JSON.parse(stdout).results.find(({ label }: { label: string }) => label === "sandbox");
    expect(row).toMatchObject({ passed: false, required: true });
  });

  test("names a host that is none", async () => {
    const made = sandboxedProject("", { SANDBOX_ALLOW_DOMAINS: "https://example.org" });
    const { exit, stderr } = await made.ralph("run", "--trust", "--sandbox");
    expect(exit).toBe(7);
    expect(stderr).toContain('SANDBOX_ALLOW_DOMAINS names no host with "https://example.org".');
  });
});
