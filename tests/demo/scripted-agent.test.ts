import { describe, expect, test } from "bun:test";
import demo from "../../drivers/demo.ts";
import { DEFAULT_DEMO_SCRIPT, type DemoIteration, parseDemoScript } from "../../src/core/demo-script.ts";
import { type DemoCall, demoAgent, tickBoxes } from "../../src/demo/scripted-agent.ts";
import { decode, only } from "../drivers/recordings/recordings.ts";

const call: DemoCall = {
  index: 0,
  sessionId: "0f8e7d6c-1234-4abc-9def-001122334455",
  format: "json",
  partial: false,
  readOnly: false,
};

/** Plays an entry with files in memory. */
async function play(entry: DemoIteration, change: Partial<DemoCall> = {}, files: Record<string, string> = {}) {
  const lines: string[] = [];
  const commits: { message: string; paths: readonly string[] }[] = [];
  let waited = 0;
  let background = 0;
  const exitCode = await demoAgent(
    { iterations: [entry] },
    { ...call, ...change },
    {
      print: (line) => void lines.push(line),
      read: async (path) => files[path] ?? null,
      write: async (path, content) => {
        if (path.startsWith("..")) throw new Error(`${path} is outside`);
        files[path] = content;
      },
      commit: async (message, paths) => void commits.push({ message, paths }),
      sleep: async (ms) => {
        waited += ms;
      },
      startBackground: (ms) => {
        background = ms;
      },
      now: () => 1_000_000 + waited,
    },
  );
  return { exitCode, lines, events: decode(demo, lines), files, commits, waited, background };
}

describe("the scripted agent", () => {
  test("writes, ticks and commits, and reports that as tool calls", async () => {
    const plan = "- [x] a\n- [ ] b\n- [ ] c\n";
    const { files, commits, events, exitCode } = await play(
      {
        text: "Did it.",
        write: { "src/a.txt": "A" },
        tick: 1,
        commit: "One",
        status: { status: "IN_PROGRESS", EXIT_SIGNAL: false },
      },
      {},
      { ".ralph/@fix_plan.md": plan },
    );
    expect(files).toEqual({ "src/a.txt": "A", ".ralph/@fix_plan.md": "- [x] a\n- [x] b\n- [ ] c\n" });
    expect(commits).toEqual([{ message: "One", paths: ["src/a.txt", ".ralph/@fix_plan.md"] }]);
    expect(only(events, "tool_use").map(({ tool }) => tool)).toEqual(["Write", "Write", "Bash"]);
    const answer = "Did it.\n\n---RALPH_STATUS---\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n---END_RALPH_STATUS---";
    expect(only(events, "text")).toEqual([{ type: "text", text: answer }]);
    expect(only(events, "finished")).toMatchObject([{ ok: true, text: answer }]);
    expect(only(events, "session_id")).toMatchObject([{ session_id: call.sessionId }]);
    expect(only(events, "unknown")).toEqual([]);
    expect(exitCode).toBe(0);
  });

  test("writes nothing in a review", async () => {
    const { files, commits } = await play(
      { write: { a: "A" }, tick: 1, commit: "x" },
      { readOnly: true },
      { "fix_plan.md": "- [ ] a" },
    );
    expect([files, commits]).toEqual([{ "fix_plan.md": "- [ ] a" }, []]);
  });

  test("reports a failed effect as a failed tool and goes on", async () => {
    const { events, exitCode } = await play({ text: "ok", write: { "../evil": "x" } });
    expect(only(events, "tool_result")).toMatchObject([{ is_error: true, content: "../evil is outside" }]);
    expect(exitCode).toBe(0);
  });

  test("prints an entry's raw lines instead of events", async () => {
    expect(await play({ stream: ["one", '{"x":1}'], write: { a: "A" }, exit_code: 3 })).toMatchObject({
      lines: ["one", '{"x":1}'],
      files: { a: "A" },
      exitCode: 3,
    });
  });

  test("prints only the answer in the text format", async () => {
    expect((await play({ text: "Hi", write: { a: "A" } }, { format: "text" })).lines).toEqual(["Hi"]);
  });

  test("streams its answer in growing pieces within its delay", async () => {
    const { events, waited } = await play({ text: "Hello, wide world.", delay_ms: 160 }, { partial: true });
    const pieces = only(events, "partial").map(({ text }) => text);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every((text) => "Hello, wide world.".startsWith(text))).toBe(true);
    expect(waited).toBeLessThanOrEqual(160);
  });

  test("fails with limits and errors", async () => {
    const limited = await play({ text: "never said", limit: { resets_in_ms: 60_000 } });
    expect(only(limited.events, "rate_limited")).toMatchObject([{ resets_at: new Date(1_060_000).toISOString() }]);
    expect(only(limited.events, "error")).toMatchObject([{ class: "limit" }]);
    expect(only(limited.events, "text")).toEqual([]);
    expect(limited.exitCode).toBe(1);
    const failed = await play({ error: { class: "auth", message: "no login" }, exit_code: 9 });
    expect(only(failed.events, "error")).toEqual([{ type: "error", class: "auth", message: "no login" }]);
    expect(only(failed.events, "finished")).toMatchObject([{ ok: false }]);
    expect(failed.exitCode).toBe(9);
  });

  test("is denied, hangs, leaves a process behind and reports its usage", async () => {
    const { events, waited, background } = await play({
      denied: ["npm publish"],
      hang_ms: 5000,
      background_child: 60_000,
      usage: { input_tokens: 7, cost_usd: 0.25 },
    });
    expect(only(events, "denied")).toEqual([
      { type: "denied", tool: "Bash", command: "npm publish", tool_use_id: "denied_1" },
    ]);
    expect(only(events, "usage")).toMatchObject([{ input_tokens: 7, cost_usd: 0.25 }]);
    expect([waited, background]).toEqual([5000, 60_000]);
  });

  test("repeats the last entry after the end of its script", async () => {
    expect((await play({ text: "again" }, { index: 12 })).lines.join()).toContain("again");
  });

  test("ticks open boxes outside code from the top and keeps every other byte", () => {
    const plan = "# Plan\r\n```\r\n- [ ] code\r\n```\r\n* [ ] a\r\n  1. [ ] b\r\n- [x] c\r\n- [ ] d";
    expect(tickBoxes(plan, 2)).toBe(
      "# Plan\r\n```\r\n- [ ] code\r\n```\r\n* [x] a\r\n  1. [x] b\r\n- [x] c\r\n- [ ] d",
    );
    expect(tickBoxes(plan, 99)).toEndWith("- [x] d");
    expect(tickBoxes(plan, 0)).toBe(plan);
  });

  test("ticks what ralph counts as a box, and nothing else", () => {
    const plan = "<!--\n- [ ] a\n-->\n- [ ](b.md)\n- [\u00a0] c\n- [ ]d\n````\n```\n- [ ] e\n````\n";
    expect(tickBoxes(plan, 99)).toBe(plan.replace("[\u00a0]", "[x]").replace("[ ]d", "[x]d"));
  });
});

describe("a script for the agent", () => {
  test("in the documented form is read", () => {
    const script = {
      iterations: [{ text: "x", write: {}, commit: "m", tick: 1, status: {}, exit_code: 0, delay_ms: 0, stream: [] }],
    };
    expect(parseDemoScript(JSON.stringify(script))).toEqual(script);
    expect(parseDemoScript(JSON.stringify(DEFAULT_DEMO_SCRIPT))).toEqual(DEFAULT_DEMO_SCRIPT);
  });

  test.each([
    ["{", 1, "this is no JSON"],
    ['{"iterations": [\n  {"text": "x",}\n]}', 2, "this is no JSON"],
    ["{}", 1, "iterations: "],
    ['{"iterations":[]}', 1, "iterations: "],
    ['{"iterations":[\n{"text":"a"},\n{"txt":"x"}]}', 3, "iterations.1.txt: there is no such field"],
    ['{"iterations":[{"tick":-1}]}', 1, "iterations.0.tick: "],
    ['{"iterations":[\n{"exit_code":\n256}]}', 2, "iterations.0.exit_code: "],
  ])("with the text %j is refused with its line and a sentence", (text, line, problem) =>
    expect(parseDemoScript(text)).toEqual({ line, problem: expect.stringContaining(problem) }),
  );
});
