/** The originals' three panes: in a real tmux with a private server, and with a fake that records its arguments. */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project, wholeLines } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";
import { until } from "../support/until.ts";

const held = (n: number) => ({ ...works(n), waits_for: `.ralph/go${n}` });
const hasTmux = Bun.which("tmux") !== null;

/** A tmux server with its socket in a private folder. */
type Server = {
  folder: string;
  tmux(...words: string[]): string;
  /** Id, title and screen of each pane. */
  panes(): { id: string; title: string; screen: string }[];
};
const servers: Server[] = [];
afterEach(() => {
  for (const { tmux } of servers.splice(0)) tmux("kill-server");
});
afterAll(cleanUp);

function server(at: Project, name: string): Server {
  const folder = at.path(`../${name}`);
  mkdirSync(folder);
  const env = { ...at.env, TMUX_TMPDIR: folder };
  const tmux = (...words: string[]) =>
    Bun.spawnSync(["tmux", "-f", "/dev/null", ...words], { cwd: at.dir, env }).stdout.toString();
  const panes = () =>
    tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_title}")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [id = "", ...title] = line.split(" ");
        return { id, title: title.join(" "), screen: tmux("capture-pane", "-p", "-t", id) };
      });
  servers.push({ folder, tmux, panes });
  return { folder, tmux, panes };
}

/** A shell in a tmux, in which `line` is typed. */
function shellIn(at: Project, name: string, line: string): Server {
  const made = server(at, name);
  made.tmux("new-session", "-d", "-x", "160", "-y", "40", "-s", "user", "sh");
  made.tmux("send-keys", "-t", "user", `${line}; echo "code $?"`, "Enter");
  return made;
}

const titles = ({ panes }: Server) => panes().map(({ title }) => title);
const screen = ({ panes }: Server, title: string) => panes().find((pane) => pane.title === title)?.screen ?? "";
const THREE = ["Ralph Loop", "Claude Code Output", "Status"];

describe.skipIf(!hasTmux)("in tmux", () => {
  test("--monitor has the loop, its log and its dashboard side by side, until it ends", async () => {
    const at = project({ steps: [held(1), works(2)] });
    const inside = shellIn(at, "a", `${binary} --live --monitor --max-iterations 2`);
    await until("three panes", () => titles(inside).join() === THREE.join());
    await until("the call", () => at.calls().length === 1);
    await until("the loop", () => screen(inside, "Ralph Loop").includes("Iteration 1 "));
    await until("the log", () => screen(inside, "Claude Code Output").includes("Iteration 1 "));
    await until("the dashboard", () => screen(inside, "Status").includes("iteration 1 of 2"));

    at.write(".ralph/go1", "");
    await until("the end", () => inside.panes()[0]?.screen.includes("code 4") === true);
    expect(inside.panes()).toHaveLength(1);
    expect(titles(inside)).not.toContain("Ralph Loop");
    expect(inside.panes()[0]?.screen).toContain("max_iterations (exit 4)");
  });

  test("--no-tmux has the dashboard in this pane alone", async () => {
    const at = project({ steps: [held(1)] });
    const inside = shellIn(at, "a", `${binary} --monitor --no-tmux`);
    await until("the dashboard", () => inside.panes()[0]?.screen.includes("p pause") === true);
    expect(inside.panes()).toHaveLength(1);
  });
});

describe.skipIf(!hasTmux)("--tmux outside of tmux", () => {
  /** Ralph on the terminal of one tmux server, of which it does not know; it uses another server. */
  function outside(at: Project, words: string) {
    const session = server(at, "b");
    // This server starts with another environment than the shell in which ralph starts.
    session.tmux("new-session", "-d", "-s", "other", "sh");
    const env = `unset TMUX TMUX_PANE; export TMUX_TMPDIR='${session.folder}' ONLY_HERE="it's; here"`;
    const terminal = shellIn(at, "a", `${env}; clear; ${binary} run --tmux ${words}`);
    const said = () => terminal.panes()[0]?.screen ?? "";
    const loop = () => session.panes().find(({ title }) => title === "Ralph Loop")?.id ?? "";
    return { session, said, loop };
  }

  test("is a session of its own, and ends as the run does: with its lines and its exit code", async () => {
    const shell = `printf %s "$ONLY_HERE" >seen.txt`;
    const at = project({ steps: [{ ...held(1), shell }, works(2)] });
    const { session, said } = outside(at, "--max-iterations 2");
    await until("three panes", () => THREE.every((title) => titles(session).includes(title)));
    expect(session.tmux("list-sessions")).toMatch(/^ralph-\d+: 1 windows/m);
    await until("the call", () => at.calls().length === 1);
    at.write(".ralph/go1", "");
    await until("the end", () => said().includes("code 4"));
    expect(said()).toContain("max_iterations (exit 4)");
    expect(at.read("seen.txt")).toBe("it's; here");
    expect(session.tmux("list-sessions")).toMatch(/^other: /);
    expect(session.tmux("list-sessions")).not.toContain("ralph-");
  });

  test("hears Ctrl+C as ever: the iteration ends, then the run", async () => {
    const at = project({ steps: [held(1)] });
    const { session, said, loop } = outside(at, "");
    await until("the call", () => at.calls().length === 1 && loop() !== "");
    session.tmux("send-keys", "-t", loop(), "C-c");
    await until("the stop", () => at.event("stop_requested") !== undefined);
    at.write(".ralph/go1", "");
    await until("the end", () => said().includes("code 0"));
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "stopped_by_user" });
    expect(said()).toContain("stopped_by_user");
  });

  test("goes on when its terminal is left, and says how to come back", async () => {
    const at = project({ steps: [held(1), works(2)] });
    const { session, said } = outside(at, "--max-iterations 2");
    await until("the call", () => at.calls().length === 1);
    const [name = ""] = /ralph-\d+/.exec(session.tmux("list-sessions")) ?? [];
    session.tmux("detach-client", "-s", name);
    await until("the shell", () => said().includes("code 0"));
    expect(said()).toContain(`The run goes on in tmux. Back to it: tmux attach -t ${name}`);
    at.write(".ralph/go1", "");
    await until("the end", () => at.event("run_finished") !== undefined);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations" });
    await until("the session's end", () => !session.tmux("list-sessions").includes(name));
  });

  test("shows why the run did not begin", async () => {
    const at = project({ steps: [held(1)] });
    const live = at.start();
    await until("the call", () => at.calls().length === 1);
    const { said } = outside(at, "");
    await until("the end", () => said().includes("code 7"));
    expect(said()).toContain("Another ralph");
    live.kill("SIGTERM");
    await live.ended;
  });
});

describe.skipIf(process.platform === "win32")("with a tmux that records its arguments", () => {
  const INSIDE = { TMUX: "/tmp/none,1,0", TMUX_PANE: "%5" };

  function fake(at: Project, splits: string): { words(): string[][] } {
    const log = at.path("../tmux.log");
    const print = `{ printf '%s\\n' "$#" "$@"; } >>'${log}'`;
    const path = join(at.path("../bin"), "tmux");
    writeFileSync(
      path,
      `#!/bin/sh\n${print}\ncase $1 in split-window) ${splits} ;; display-message) echo before ;; esac\n`,
    );
    chmodSync(path, 0o755);
    const words = () => {
      const lines = [...wholeLines(log)];
      const calls: string[][] = [];
      while (lines.length > 0) calls.push(lines.splice(0, Number(lines.shift())));
      return calls;
    };
    return { words };
  }

  test("the panes follow this run, and are closed by their ids", async () => {
    const at = project({ steps: [held(1)], env: INSIDE });
    const { words } = fake(at, "case $3 in -h) echo %7 ;; *) echo %8 ;; esac");
    const run = onTerminal(["--monitor", "--max-iterations", "1"], { cwd: at.dir, env: at.env });
    await until("the titles", () => words().length === 6);
    at.write(".ralph/go1", "");
    expect(await run.exited).toBe(4);
    const [name = ""] = at.runs();
    const ids = ["-P", "-F", "#{pane_id}", binary, "-C", at.dir];
    expect(words()).toEqual([
      ["display-message", "-p", "-t", "%5", "#{pane_title}"],
      ["split-window", "-d", "-h", "-t", "%5", ...ids, "logs", name, "--follow"],
      ["split-window", "-d", "-v", "-t", "%7", ...ids, "monitor", name],
      ["select-pane", "-t", "%5", "-T", "Ralph Loop"],
      ["select-pane", "-t", "%7", "-T", "Claude Code Output"],
      ["select-pane", "-t", "%8", "-T", "Status"],
      ["kill-pane", "-t", "%7"],
      ["kill-pane", "-t", "%8"],
      ["select-pane", "-t", "%5", "-T", "before"],
    ]);
  });

  test("a run goes on where there is no room for panes", async () => {
    const at = project({ steps: [works(1)], env: INSIDE });
    fake(at, "echo 'no space for new pane' >&2; exit 1");
    const run = onTerminal(["run", "--tmux", "--max-iterations", "1"], { cwd: at.dir, env: at.env });
    expect(await run.exited).toBe(4);
    expect(run.durable().join("\n")).toContain("tmux cannot open panes here: no space for new pane");
  });

  test("--monitor is the dashboard where tmux is not installed, and --tmux says how to come by it", async () => {
    const at = project({ steps: [held(1)], env: INSIDE });
    const env = { ...at.env, PATH: at.path("../bin") };
    const asked = onTerminal(["run", "--tmux"], { cwd: at.dir, env });
    expect(await asked.exited).toBe(7);
    expect(asked.durable().join("\n")).toContain("tmux is not installed.");
    expect(asked.durable().join("\n")).toContain("apt install tmux");
    expect(at.calls()).toEqual([]);
    const run = onTerminal(["--monitor"], { cwd: at.dir, env });
    await run.shows("p pause");
    run.kill("SIGTERM");
    expect(await run.exited).toBe(143);
  });

  test("--tmux needs a terminal", async () => {
    const at = project({ steps: [works(1)], env: INSIDE });
    const { words } = fake(at, "echo %7");
    const { exit, stderr } = await at.ralph("run", "--tmux");
    expect({ exit, stderr }).toEqual({ exit: 7, stderr: expect.stringContaining("ralph run --detach") });
    const { stderr: said } = await at.ralph("--monitor", "--max-iterations", "1");
    expect(said).toContain("here are lines instead");
    expect(words()).toEqual([]);
  });
});
