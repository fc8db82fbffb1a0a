/** A stranger's look at finished work: the compiled program with scripted agents of two vendors. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import type { Call, Step } from "../../agents/scripted.ts";
import { answer, SPENDING } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { callsIn, installAgent, writeScript } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const FAULTY = "echo 4\n";
const RIGHT = 'echo "$(($1 + $2))"\n';
const CHECK = 'test "$(sh add.sh 2 3)" = 5';
const FILES = {
  ".ralph/PROMPT.md": "Work through the plan.\n",
  ".ralph/@fix_plan.md": "# Plan\n- [x] add.sh adds two numbers\n",
  ".ralph/.ralphrc": "DONE_POLICY=evidence\nMAX_ITERATIONS=8\nTEST_COMMAND='test \"$(sh add.sh 2 2)\" = 4'\n",
};
const DONE = { status: "COMPLETE", exit: true, text: "It adds all numbers. CLAIMED" } as const;

const claims = (script: string): Step => ({ files: { "add.sh": script }, stdout: answer(DONE) });
const gap = (command: string, why: string) =>
  `I looked.\n\n---RALPH_GAP---\nCOMMAND: ${command}\nWHY: ${why}\n---END_RALPH_GAP---`;
const none = "I looked.\n\n---RALPH_GAP---\nNONE\n---END_RALPH_GAP---";

/** What Codex prints for an answer. */
function codexSays(text: string): Step {
  const events = [
    { type: "thread.started", thread_id: "0c0de001-0000-4000-8000-000000000001" },
    { type: "turn.started" },
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text } },
    { type: "turn.completed", usage: { input_tokens: 100, cached_input_tokens: 0, output_tokens: 10 } },
  ];
  return { stdout: events.map((event) => `${JSON.stringify(event)}\n`).join("") };
}

/** A project that Claude Code works in, and where Codex is installed too. */
function given(work: readonly Step[], looks: readonly Step[], files: Record<string, string> = {}): Project {
  const where = project({ files: { ...FILES, ...files }, steps: work });
  const folder = where.path("../second");
  mkdirSync(folder);
  writeScript(folder, looks);
  installAgent(where.path("../bin"), "codex", folder);
  return where;
}

const codexCalls = (where: Project): Call[] => callsIn(where.path("../second"));

const calls = (where: Project) =>
  where
    .events()
    .flatMap((event: RalphEvent) =>
      event.type === "agent_started" ? [`${event.purpose} ${event.iteration}-${event.call}`] : [],
    );

describe("a run that claims to be done with a fault that its tests do not find", () => {
  test("is done only when the gap that another vendor's agent named is closed", async () => {
    const where = given(
      [claims(FAULTY), claims(RIGHT)],
      [codexSays(gap(CHECK, "add.sh must add any two numbers, and always says 4.")), codexSays(none)],
    );
    const { exit, stdout } = await where.ralph("run", "--review-on-done", "1");
    expect([exit, where.event("run_finished")?.stop_reason]).toEqual([0, "project_complete"]);
    expect(calls(where)).toEqual(["main 1-1", "look 1-2", "main 2-1", "look 2-2"]);
    expect(where.event("gap_named")).toMatchObject({ command: CHECK, exit_code: 1 });
    expect(where.event("run_finished")).toMatchObject({
      calls: 4,
      sentence:
        "The agent said that everything is done, and confirmed it. OpenAI Codex looked at it and found no gap. 1 gap that was named before: mended.",
    });
    expect(where.read("add.sh")).toBe(RIGHT);

    const [, second] = where.calls();
    expect(second?.stdin).toContain(`- add.sh must add any two numbers, and always says 4.\n  \`${CHECK}\` failed`);
    const [look] = codexCalls(where);
    expect(look?.argv).toContain("read-only");
    expect(look?.stdin).toContain("- `.ralph/@fix_plan.md`");
    expect(look?.stdin).not.toContain("CLAIMED");

    for (const shown of ["OpenAI Codex looks at it before done", `✗ look: ${CHECK}`, "⚑ OpenAI Codex named a gap:"])
      expect(stdout).toContain(shown);
    const report = await where.ralph("report");
    expect(report.stdout.replace(/\s+/g, " ")).toContain("OpenAI Codex named a gap: add.sh must add any two numbers");
    expect(where.read(".ralph/logs/ralph.log")).toContain(`[WARN] A gate from now on: ${CHECK}`);
  });

  test("is looked at by its own agent in a new conversation, where the other one cannot be used", async () => {
    const asClaude = (text: string): Step => ({ stdout: answer({ text }) });
    const where = given([claims(RIGHT), asClaude(none)], [{ stderr: "Error: not logged in\n", exit: 1 }]);
    const { exit } = await where.ralph("run", "--review-on-done=1");
    expect([exit, where.event("run_finished")?.sentence]).toEqual([
      0,
      "Every box of the plan is ticked. Claude Code looked at it and found no gap.",
    ]);
    expect(calls(where)).toEqual(["main 1-1", "look 1-2", "look 1-3"]);
    const [, look] = where.calls();
    expect(look?.argv).not.toContain("--resume");
    expect(look?.argv.join(" ")).toContain("--tools Read,Glob,Grep");
  });

  test("waits while the run's own agent, which is to look, is at its provider's limit, and is looked at after a stop too", async () => {
    const asClaude = (text: string): Step => ({ stdout: answer({ text }) });
    const resets = Math.floor(Date.now() / 1000) + 7200;
    const limit = {
      type: "result",
      is_error: true,
      result: `Claude AI usage limit reached|${resets}`,
      session_id: "s",
    };
    const limited: Step = { stdout: `${JSON.stringify(limit)}\n`, exit: 1 };
    const where = given([claims(RIGHT), limited, asClaude(none)], [{ stderr: "Error: not logged in\n", exit: 1 }]);
    const live = where.start("run", "--review-on-done=1");
    await until("it waits", () => where.event("wait_started") !== undefined);
    live.kill("SIGTERM");
    const { exit, stdout } = await live.ended;
    expect([exit, calls(where)]).toEqual([143, ["main 1-1", "look 1-2", "look 1-3"]]);
    expect(stdout).toContain("The look of Claude Code met its provider's limit.");
    expect(where.event("wait_started")).toMatchObject({ why: "usage_limit" });
    expect((await where.ralph("run", "--review-on-done=1")).exit).toBe(0);
    expect(calls(where)).toEqual(["look 0-1", "look 0-2"]);
    expect(where.event("run_finished")?.sentence).toContain("Claude Code looked at it and found no gap.");
  });

  test("is believed at once in a project that does not know the setting", async () => {
    const where = given([claims(FAULTY)], [codexSays(none)]);
    const { exit, stdout } = await where.ralph("run");
    expect([exit, calls(where)]).toEqual([0, ["main 1-1"]]);
    expect(stdout).not.toContain("looks at it");
  });
});

test("work whose look was killed with its run is looked at in the next one", async () => {
  const where = given([claims(RIGHT)], [{ ...codexSays(none), hangs: true, stdout: "" }], {
    ".ralph/.ralphrc": `${FILES[".ralph/.ralphrc"]}REVIEW_ON_DONE=1\n`,
  });
  const live = where.start("run");
  await until("the look has begun", () => calls(where).includes("look 1-2"));
  live.kill("SIGKILL");
  await live.ended;
  writeScript(where.path("../second"), [codexSays(none)]);
  const { exit } = await where.ralph("run");
  expect([exit, calls(where)]).toEqual([0, ["look 0-1"]]);
  expect(
    where
      .events(1)
      .slice(-2)
      .map(({ type }) => type),
  ).toEqual(["agent_finished", "look_finished"]);
});

test("what a look had used when it was killed counts, though its agent is another than the run's", async () => {
  const status = "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---";
  const work = { ...codexSays(`It adds.\n${status}`), files: { "add.sh": RIGHT } };
  const where = given([{ first_stdout: SPENDING, hangs: true }], [work]);
  const live = where.start("run", "--driver", "codex", "--review-on-done", "1");
  const texts = () => where.events().filter(({ type }) => type === "agent_text");
  await until("the look's first words", () => calls(where).includes("look 1-2") && texts().length === 2);
  live.kill("SIGKILL");
  await live.ended;
  expect((await where.ralph("circuit", "reset")).exit).toBe(0);
  const told = where.events().filter(({ type }) => type === "agent_usage");
  expect(told).toMatchObject([{ input_tokens: 100 }, { input_tokens: 2000, model: "claude-opus-4-8" }]);
});
