/** An unchanged driver of the bash contract, in the loop of the compiled program. */
import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import { after, agentFile, ownProject } from "../support/own-cli.ts";

const EVERY_HOOK = { file: "every-hook.sh", text: agentFile("every-hook.sh") };
const RUN = ["run", "--driver", "every-hook", "--trust-driver"];
const UNTRUSTED = { env: { RALPH_TRUST: "" } };
const needs = (program: string) => Bun.which(program) !== null;

describe.skipIf(process.platform === "win32" || !needs("bash") || !needs("jq"))("a bash driver with every hook", () => {
  test("a bash driver runs the loop to its end: command, session, filter, exports", async () => {
    const p = ownProject(EVERY_HOOK);
    const { exit, stderr } = await p.ralph(...RUN, "--allowed-tools", "Read,Bash(git add,commit)");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(p.event("run_finished")?.stop_reason).toBe("project_complete");
    const calls = p.ownCalls();
    expect(calls).toHaveLength(3);
    const [first, second] = calls.map(({ argv }) => argv);
    expect(after(first ?? [], "--session")).toBeUndefined();
    expect(after(second ?? [], "--session")).toBe("conversation-7");
    expect(first).toEqual([
      "run",
      ...["--prompt-file", ".ralph/PROMPT.md", "--format", "json", "--mode", "bypassPermissions"],
      ...["--tools", "Read,Bash(git add,commit)", "--empty", "", "--lines", "first\nsecond"],
      ...["--context", expect.stringContaining("Iteration 1")],
      "--jsonl",
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({ prompt: "Do the next task.\n", stdin: "", token: "exported by the driver" });
    }
  });

  test("a bash driver's filter makes the shown text, and the journal has its output", async () => {
    const p = ownProject(EVERY_HOOK);
    await p.ralph(...RUN, "--max-iterations", "1");
    const texts = p.events().flatMap((event) => (event.type === "agent_text" ? [event.text] : []));
    expect(texts).toEqual([expect.stringMatching(/^Step 1 is done\.\n---RALPH_STATUS---\nSTATUS: IN_PROGRESS/)]);
    expect(p.event("agent_session")?.session_id).toBe("conversation-7");
    expect(p.event("agent_finished")).toMatchObject({ ok: true, unknown_events: 0 });
    expect(p.event("iteration_finished")).toMatchObject({ analysis: { status: "IN_PROGRESS" } });
  });

  test("of several ids in an answer it goes on with the one that the contract names first", async () => {
    const text = `${EVERY_HOOK.text}\nunset -f driver_extract_session_id_from_output driver_stream_filter\n`;
    const p = ownProject({ file: "every-hook.sh", text });
    const answer = '{"result":"Hi.","session_id":"third","metadata":{"session_id":"second"},"sessionId":"first"}';
    p.write("tools/own-cli", `#!/bin/sh\necho '${answer}'\n`);
    await p.ralph(...RUN, "--max-iterations", "2");
    expect(p.events().flatMap((event) => (event.type === "iteration_started" ? [event.resume] : []))).toEqual([
      null,
      "first",
    ]);
  });

  test("a bash driver's fallback finds the session id that the output does not contain", async () => {
    const p = ownProject(EVERY_HOOK, { env: { OWN_CLI_SILENT: "1" } });
    await p.ralph(...RUN, "--max-iterations", "2");
    expect(after(p.ownCalls()[1]?.argv ?? [], "--session")).toBe("conversation-7");
    expect(JSON.parse(p.read(".ralph/.claude_session_id"))).toMatchObject({
      session_id: "conversation-7",
      driver: "every-hook",
    });
  });

  test("without an id in the output and without session hooks each call begins a new session", async () => {
    const hooks = "driver_extract_session_id_from_output driver_fallback_session_id";
    const text = `${EVERY_HOOK.text}\nunset -f ${hooks}\n`;
    const p = ownProject({ file: "every-hook.sh", text }, { env: { OWN_CLI_SILENT: "1" } });
    await p.ralph(...RUN, "--max-iterations", "2");
    expect(p.ownCalls().map(({ argv }) => after(argv, "--session"))).toEqual([undefined, undefined]);
    expect(p.event("agent_session")).toBeUndefined();
  });

  test("without continuity a bash driver gets no session, and CLAUDE_USE_CONTINUE is false", async () => {
    const p = ownProject(EVERY_HOOK);
    await p.ralph(...RUN, "--max-iterations", "2", "--no-continue");
    expect(p.ownCalls().map(({ argv }) => after(argv, "--session"))).toEqual([undefined, undefined]);
  });

  test("in the text format a bash driver's output is the answer, without the live form", async () => {
    const p = ownProject(EVERY_HOOK);
    await p.ralph(...RUN, "--max-iterations", "1", "--output-format", "text");
    const [call] = p.ownCalls();
    expect(after(call?.argv ?? [], "--format")).toBe("text");
    expect(call?.argv).not.toContain("--jsonl");
    expect(p.event("iteration_finished")).toMatchObject({ analysis: { status: "IN_PROGRESS" } });
  });

  test("a bash driver gets a file with the prompt if it differs from the project's", async () => {
    const p = ownProject(EVERY_HOOK);
    await p.ralph(...RUN, "--max-iterations", "1", "--preamble", "Be brief.");
    const [call] = p.ownCalls();
    expect(after(call?.argv ?? [], "--prompt-file")).toBe(".ralph/.prompt_sent.md");
    expect(call?.prompt).toBe("Be brief.\n\nDo the next task.\n");
  });

  test("a bash driver's failing hook stops the start with its message", async () => {
    const text = `${EVERY_HOOK.text}\ndriver_build_command() { echo "no agent today" >&2; return 3; }\n`;
    const p = ownProject({ file: "every-hook.sh", text });
    const { exit, stderr } = await p.ralph(...RUN);
    expect({ exit, stderr }).toMatchObject({ exit: 7, stderr: expect.stringContaining("no agent today") });
    expect(p.ownCalls()).toEqual([]);
  });

  test("an agent that fails silently fails the call by its exit code", async () => {
    const p = ownProject(EVERY_HOOK);
    p.write("tools/own-cli", '#!/bin/sh\necho \'{"kind":"say","text":"half"}\'\nexit 3\n');
    await p.ralph(...RUN, "--max-iterations", "1");
    expect(p.event("agent_finished")).toMatchObject({ ok: false, exit_code: 3 });
  });

  test("drivers show lists the values of a bash driver's hooks", async () => {
    const p = ownProject(EVERY_HOOK);
    const { stdout } = await p.ralph("drivers", "show", "every-hook", "--trust-driver", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      name: "every-hook",
      display_name: "Every Hook",
      cli_binary: p.path("tools/own-cli"),
      available: true,
      version: "2.1.0",
      min_version: "2.0.0",
      valid_tools: ["Read", "Bash", "Bash(git *)"],
      capabilities: { sessions: true, live_output: true, tool_allowlist: true },
      source: p.path(".ralph/drivers/every-hook.sh"),
    });
  });

  test.each([
    ["its minimum version is above the CLI's", 'driver_min_version() { echo "9.0.0"; }', "2.1.0 is older than 9.0.0"],
    ["it says that the CLI is unavailable", "driver_check_available() { return 1; }", "Every Hook is not available"],
  ])("doctor fails a bash driver if %s", async (_, hook, words) => {
    const p = ownProject({ file: "every-hook.sh", text: `${EVERY_HOOK.text}\n${hook}\n` });
    const whole = ownProject(EVERY_HOOK);
    const doctor = ["doctor", "--driver", "every-hook", "--trust-driver", "--json"];
    const failures = async ({ ralph }: typeof p) => {
      const { exit, stdout } = await ralph(...doctor);
      const { results } = JSON.parse(stdout) as { results: { passed: boolean; required: boolean; detail: string }[] };
      return { exit, failed: results.filter((one) => one.required && !one.passed).map(({ detail }) => detail) };
    };
    expect(await failures(p)).toEqual({ exit: 1, failed: [expect.stringContaining(words)] });
    expect(await failures(whole)).toEqual({ exit: 0, failed: [] });
  });

  test.each([
    ["bash", "is a bash script, and there is no bash on the PATH"],
    ["jq", "filters its output with jq, and there is no jq on the PATH"],
  ])("a bash driver on a machine without %s is refused with the reason", async (missing, words) => {
    const p = ownProject(EVERY_HOOK);
    const kept = ["bash", "jq", "sh", "sed", "head", "mktemp", "cat", "rm"].filter((name) => name !== missing);
    p.write("bin/.keep", "");
    for (const name of kept) symlinkSync(Bun.which(name) ?? "", join(p.path("bin"), name));
    const env = { ...p.env, PATH: p.path("bin") };
    const { exitCode, stderr } = Bun.spawnSync([binary, ...RUN], { cwd: p.dir, env });
    expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 7, stderr: expect.stringContaining(words) });
  });
});

test("a project's bash driver does not run before the user allows it", async () => {
  const p = ownProject({ file: "evil.sh", text: "touch ran-already\n" }, UNTRUSTED);
  const refused = await p.ralph("run", "--driver", "evil");
  expect(refused).toMatchObject({ exit: 7, stderr: expect.stringContaining("ralph trust") });
  for (const argv of [["drivers"], ["drivers", "show", "evil"], ["doctor", "--driver", "evil"], ["config"]])
    await p.ralph(...argv);
  expect(p.has("ran-already")).toBe(false);
});

test("a project's settings cannot trust the project's own driver", async () => {
  const p = ownProject(
    { file: "evil.sh", text: "touch ran-already\n" },
    { ...UNTRUSTED, files: { ".ralph/.ralphrc": "PLATFORM_DRIVER=evil\nRALPH_TRUST_DRIVERS=true\n" } },
  );
  expect(await p.ralph("run")).toMatchObject({ exit: 7 });
  expect(p.has("ran-already")).toBe(false);
});
