import { describe, expect, test } from "bun:test";
import { emptyFrame } from "../../../src/view/dashboard/frame.ts";
import { parseKeys, pendingMs } from "../../../src/view/dashboard/parse-keys.ts";
import { onKey } from "../../../src/view/dashboard/ui.ts";
import { initialUi, type OnScreen, type Ui } from "../../../src/view/dashboard/ui-state.ts";
import { settingsOf, stateOf } from "../../core/given.ts";

const bounded = stateOf({ settings: { ...settingsOf({ MAX_ITERATIONS: 3 }) } });
const on: OnScreen = {
  ...emptyFrame(),
  state: bounded,
  iterations: [1, 2, 3],
  total: 100,
  page: 20,
  runs: ["0001-a", "0002-b"],
  alive: true,
  readOnly: null,
};

/** The screen after some keys, the actions of those keys, and the last message. */
function typed(keys: string, from: Partial<Ui> = {}, given: Partial<OnScreen> = {}) {
  let ui: Ui = { ...initialUi(), ...from };
  let message: string | null = null;
  const actions: unknown[] = [];
  for (const key of parseKeys(keys)) {
    const answer = onKey(ui, key, { ...on, ...given });
    ui = answer.ui;
    message = answer.message;
    if (answer.action !== null) actions.push(answer.action);
  }
  return { ui, actions, message };
}

const stopping = { ...bounded, stop_requested: { how: "after_iteration", by: "user" } } as const;

const importing = { ...bounded, started_by: "import" } as const;

const over = {
  ...bounded,
  finished: { reason: "max_cost", exit_code: 4, sentence: "", at: bounded.started_at },
} as const;

describe("steering keys", () => {
  test.each(["list", "runs", "task"] as const)("work in the pane %p, too", (mode) => {
    expect(typed("sp+", { mode })).toMatchObject({
      actions: [
        { command: "stop", how: "after_iteration" },
        { command: "pause" },
        { command: "extend", iterations: 1 },
      ],
      ui: { mode },
    });
    expect(typed("s", { mode }, { alive: false, state: over }).message).toBe("The run is over.");
    expect(typed("ay", { mode }).actions).toEqual([{ command: "stop", how: "now" }]);
    expect(typed("?", { mode }).ui.mode).toBe("help");
  });

  test.each([
    ["p", {}, { command: "pause" }],
    ["p", { state: { ...bounded, paused: true } }, { command: "resume" }],
    ["s", {}, { command: "stop", how: "after_iteration" }],
    ["w", { state: stopping }, { command: "withdraw" }],
    ["+", {}, { command: "extend", iterations: 1 }],
    ["ay", {}, { command: "stop", how: "now" }],
    ["tUse yargs!\u007f\r", {}, { command: "say", text: "Use yargs" }],
    ["q", {}, { command: "leave" }],
    ["\u0003", {}, { command: "interrupt" }],
    ["\u0004", {}, { command: "leave" }],
    ["\r\u001b[A\r", {}, { command: "open", iteration: 2 }],
  ] as const)("%j cause their action", (keys, given, action) => {
    expect(typed(keys, {}, given).actions).toEqual([action]);
  });

  test.each([
    ["an", {}, null],
    ["t\u001b", {}, null],
    ["t\u0004", {}, null],
    ["t  \r", {}, null],
    ["w", {}, "No stop was asked for: the run goes on."],
    ["s", { state: stopping }, "The run already stops after this iteration."],
    ["+", { state: stateOf() }, "The run has no bound on iterations to raise."],
    ["p", { alive: false }, "The process is gone. Go on with: ralph run"],
    ["p", { alive: false, state: importing }, "The process is gone. Go on with: ralph import FILE"],
    ["p", { alive: false, state: { ...bounded, started_by: "task" } }, "The process is gone. Go on with: ralph resume"],
    ["w", { alive: false, state: over }, "The run is over."],
    ["t", { alive: false, state: { ...bounded, run: "" } }, "There is no run yet."],
    ["a", { state: importing }, "An import takes no commands."],
    ["t", { state: importing }, "An import takes no commands."],
    ["a", { readOnly: "no" }, "no"],
    ["t", { readOnly: "no" }, "no"],
    ["\r", { iterations: [] }, "No iteration has begun yet."],
  ] as const)("%j cause no action", (keys, given, message) => {
    expect(typed(keys, {}, given)).toMatchObject({ actions: [], message });
  });
});

describe("viewing keys", () => {
  test.each([
    ["\u001b[A", {}, { bottom: 99 }],
    ["\u001bOA\u001bOA\u001bOB", {}, { bottom: 99 }],
    ["\u001b[5~", {}, { bottom: 81 }],
    ["\u001b[5~\u001b[6~", {}, { bottom: null }],
    ["\u001b[H", {}, { bottom: 20 }],
    ["g\u001b[F", {}, { bottom: null }],
    ["\u001b[B", {}, { bottom: null }],
    ["/err", {}, { entry: { purpose: "filter", text: "err" }, filter: "err" }],
    ["/err\r", {}, { entry: null, filter: "err" }],
    ["/err\u001b", {}, { entry: null, filter: "" }],
    ["v", {}, { detail: true }],
    ["?", {}, { mode: "help" }],
    ["?x", {}, { mode: "main" }],
    ["\r", {}, { mode: "list", selected: 3 }],
    ["\r\u001b[A\u001b[A\u001b[A\u001b[A", {}, { selected: 1 }],
    ["\u001b", { opened: 2, filter: "x" }, { opened: 2, filter: "" }],
  ] as const)("%j change the view", (keys, from, ui) => {
    expect(typed(keys, from).ui).toMatchObject(ui);
  });
});

test("keys in one piece of input are separated, and unknown ones are skipped", () => {
  expect(parseKeys("a\u001b[1;5C\u0001é\u001b[6~\u001b")).toEqual([
    { name: "text", text: "a" },
    { name: "text", text: "é" },
    { name: "page_down" },
    { name: "escape" },
  ]);
});

test.each([
  ["Alt and a key", "\u001bp", []],
  ["Alt and a bracket", "\u001b[", []],
  ["two keys behind Alt and a key", "\u001bpjk", ["j", "k"]],
  ["Alt and enter", "\u001b\r", []],
  ["escape and Ctrl+C in one piece", "\u001b\u0003", ["escape", "interrupt"]],
  ["a mouse wheel, as all terminals know it", "\u001b[Maqs", []],
  ["a mouse wheel, as newer ones do", "\u001b[<64;10;12M", ["wheel"]],
  ["a wheel with Ctrl held", "\u001b[<81;10;12M", ["wheel"]],
  ["a click, which is pressed and released", "\u001b[<0;3;4M\u001b[<0;3;4m", ["click"]],
  ["another button", "\u001b[<2;3;4M", []],
  ["F1 of a console", "\u001b[[A", []],
  ["a terminal's late answer about its colours", "\u001b]11;rgb:1e1e/ffff/0000\u001b\\q", ["q"]],
  ["the same with another end", "\u001b]11;rgb:1e1e/ffff/0000\u0007q", ["q"]],
  ["a terminal's late answer about itself", "\u001bP>|xterm(390)\u001b\\", []],
  ["escape, where all keys have numbers", "\u001b[27u", ["escape"]],
  ["enter, where all keys have numbers", "\u001b[13;1:1u", ["enter"]],
  ["Ctrl+C, where all keys have numbers", "\u001b[99;5u", ["interrupt"]],
  ["Ctrl+C of xterm's own numbers", "\u001b[27;5;99~", ["interrupt"]],
  ["a letter, where all keys have numbers", "\u001b[112u", ["p"]],
  ["a letter that is released", "\u001b[112;1:3u", []],
  ["Alt and a letter, where all keys have numbers", "\u001b[112;3u", []],
  ["Ctrl and another letter, where all keys have numbers", "\u001b[112;5u", []],
] as const)("keys are read from: %s", (_, sent, expected) => {
  expect(parseKeys(sent).map((key) => ("text" in key ? key.text : key.name))).toEqual([...expected]);
});

test.each([
  ["\u001b", true],
  ["\u001b[Ma", true],
  ["\u001b]11;rgb:1e", true],
  ["\u001b]11;rgb:1e\u001b\\", false],
  ["x\u001b[", true],
  ["\u001b[5", true],
  ["\u001bO", true],
  ["\u001b[5~", false],
  ["\u001b[A", false],
  ["q", false],
  ["", false],
])("the input %j may be incomplete: %p", (text, expected) => {
  expect(pendingMs(text) > 0).toBe(expected);
});

describe("pasted text", () => {
  const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

  test("is not taken for keys", () => {
    const { actions, message } = typed(pasted("saq+"));
    expect({ actions, message }).toEqual({
      actions: [],
      message: "Pasted text is not taken for keys. t tells the agent something.",
    });
  });

  test("goes into the line being typed, without terminal controls", () => {
    expect(typed(`t${pasted("use\u001b[2J yargs\r\nnow")}`).ui.entry).toEqual({
      purpose: "say",
      text: "use yargs\nnow",
    });
  });

  test("is held back until its end arrives", () => {
    expect(pendingMs("\u001b[200~half")).toBeGreaterThan(100);
    expect(pendingMs(pasted("all"))).toBe(0);
  });
});

describe("the help screen", () => {
  const low = { total: 25, page: 10 };
  test.each([
    ["?", { mode: "help", top: 0 }],
    ["?j\u001b[B", { mode: "help", top: 2 }],
    ["?\u001b[6~", { mode: "help", top: 9 }],
    ["?\u001b[6~\u001b[6~", { mode: "help", top: 15 }],
    ["?\u001b[6~\u001b[A", { mode: "help", top: 8 }],
    ["?\u001b[6~?", { mode: "main" }],
    ["?jq?", { mode: "help", top: 0 }],
  ] as const)("if higher than the screen, obeys %j", (keys, ui) => {
    expect(typed(keys, {}, low).ui).toMatchObject(ui);
  });

  test("is closed by any key if it fits the screen", () => {
    expect(typed("?j", {}, { total: 10, page: 10 }).ui.mode).toBe("main");
  });
});

test("a message that is too long is neither sent nor lost", () => {
  const long = "x".repeat(2001);
  const { ui, actions } = typed(`t\u001b[200~${long}\u001b[201~\r`);
  expect(actions).toEqual([]);
  expect(ui.entry).toEqual({ purpose: "say", text: long });
  expect(typed("\u007f\r", ui).actions).toEqual([{ command: "say", text: long.slice(1) }]);
});

test("the key that asks to abort does not confirm it while held down", () => {
  expect(typed("aaaa")).toMatchObject({ actions: [] });
  expect(typed("ay")).toMatchObject({ actions: [{ command: "stop", how: "now" }], message: "Stopping now." });
});

describe("an opened iteration", () => {
  const opened = { opened: 2 } as const;

  test("goes back to the list with esc, and from there to the run", () => {
    expect(typed("\u001b", opened).ui).toMatchObject({ mode: "list", selected: 2, opened: null });
    expect(typed("\u001b", { mode: "list", selected: 2 }).ui).toMatchObject({ mode: "main", opened: null });
  });

  test("first shows all of its lines again, if they are filtered", () => {
    expect(typed("\u001b", { ...opened, filter: "x" }).ui).toMatchObject({ mode: "main", opened: 2, filter: "" });
  });

  test("has neighbours, as far as there are iterations", () => {
    expect(typed("\u001b[C", opened)).toMatchObject({
      ui: { opened: 3 },
      actions: [{ command: "open", iteration: 3 }],
    });
    expect(typed("\u001b[D", opened).actions).toEqual([{ command: "open", iteration: 1 }]);
    expect(typed("\u001b[C", { opened: 3 }).actions).toEqual([]);
    expect(typed("\u001b[D", {}).actions).toEqual([]);
  });
});
