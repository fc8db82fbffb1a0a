import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { carryOver, initialState, type State } from "../../../src/core/journal/state.ts";
import { needsOf } from "../../../src/core/needs/needs.ts";
import { countAside, isAskedAgain, questionsWithoutTask, takeableTasks } from "../../../src/core/needs/questions.ts";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { composeNotes } from "../../../src/core/prompt/prompt-notes.ts";
import { analysisOf, evidenceOf, settingsOf, stateOf } from "../given.ts";
import { after, iterationFinished, iterationStarted, runFinished, runStarted } from "../state-files/script.ts";

type Asked = Extract<EventBody, { type: "question_asked" }>;

const asked = (about: Partial<Asked> = {}): EventBody => ({
  type: "question_asked",
  kind: "question",
  task: "one",
  text: "Which one?",
  parked: false,
  ...about,
});
const began = runStarted();
const parks = runStarted(initialState("/p"), { ON_QUESTION: "park" });
const ended = (about: { ticked?: string[]; progress?: boolean; denied?: boolean; blocked?: boolean } = {}) =>
  iterationFinished({
    analysis: analysisOf({
      has_permission_denials: about.denied === true,
      status: about.blocked === true ? "BLOCKED" : "IN_PROGRESS",
    }),
    evidence: evidenceOf({ progress: about.progress ?? true, plan_ticked: about.ticked ?? [] }),
  });
const texts = (state: State, openTasks: string[] | null = null) =>
  needsOf(state, { alive: false, openTasks }).map(({ text }) => text);

/** Two iterations: the first asks, the second ends like this. */
const thenEnds = (question: EventBody, second: EventBody, start = began) =>
  texts(after(start, iterationStarted(1), question, ended(), iterationStarted(2), second));

describe("a question stays", () => {
  test("after its own iteration, and while its task is open", () => {
    expect(texts(after(began, iterationStarted(1), asked(), ended()))).toEqual(["Which one?"]);
    expect(thenEnds(asked(), ended({ ticked: ["two"] }))).toEqual(["Which one?"]);
  });

  test("through failed calls, the end of a run, and into the next one", () => {
    const state = after(began, iterationStarted(1), asked(), ended(), runFinished("max_iterations"));
    expect(texts(state)).toEqual(["Which one?"]);
    expect(texts(after(runStarted(carryOver(state))))).toEqual(["Which one?"]);
    expect(thenEnds(asked({ task: null }), iterationFinished({ outcome: "failed" }))).toEqual(["Which one?"]);
  });
});

describe("a question leaves by itself", () => {
  test.each<[string, EventBody, EventBody]>([
    ["when its task is ticked", asked(), ended({ ticked: ["one"] })],
    ["without a task, when work goes on", asked({ task: null }), ended()],
    ["about a block, when the agent works on without one", asked({ kind: "blocked" }), ended()],
    ["about a denial, with the next answer without one", asked({ kind: "denied" }), ended({ progress: false })],
  ])("%s", (_, question, second) => {
    expect(thenEnds(question, second)).toEqual([]);
  });

  test.each<[string, EventBody, EventBody]>([
    ["without a task, when nothing changes", asked({ task: null }), ended({ progress: false })],
    ["about a block, when the agent says it again", asked({ kind: "blocked" }), ended({ blocked: true })],
    ["about a denial, when it is denied again", asked({ kind: "denied" }), ended({ denied: true })],
    ["of a document, when work goes on", asked({ kind: "import", task: null }), ended()],
  ])("but not %s", (_, question, second) => {
    expect(thenEnds(question, second)).toEqual(["Which one?"]);
  });

  test("when the run ends as done, except on a task that is set aside", () => {
    const run = (start: EventBody) =>
      texts(after(start, iterationStarted(1), asked({ parked: true }), ended(), runFinished("completion_signals")));
    expect([run(began), run(parks)]).toEqual([[], ["Which one?"]]);
  });

  test("when a newer question is about the same task, and not when it is about another", () => {
    const state = after(began, asked(), asked({ text: "Or that one?" }), asked({ task: "two", text: "Two?" }));
    expect(needsOf(state, { alive: false }).map(({ number, text }) => [number, text])).toEqual([
      [2, "Or that one?"],
      [3, "Two?"],
    ]);
  });

  test("when it is asked again in the same words, it keeps the number that its notification named, and moves to the end", () => {
    const { inbox } = after(began, asked(), asked({ task: "two", text: "Two?" }), asked({ parked: true }));
    expect(inbox.open.map(({ number, text, parked }) => [number, text, parked])).toEqual([
      [2, "Two?", false],
      [1, "Which one?", true],
    ]);
    const later = after(began, asked(), asked(), asked({ task: "two", text: "Two?" }));
    expect(later.inbox.open.map(({ number }) => number)).toEqual([1, 2]);
  });

  test("when the plan has its task no more, and never where the plan is not known", () => {
    const state = after(began, asked(), asked({ task: null, text: "Free?" }));
    expect([texts(state), texts(state, ["two"])]).toEqual([["Which one?", "Free?"], ["Free?"]]);
    expect(questionsWithoutTask(state.inbox, ["two"])).toEqual([1]);
    expect(texts(after(began, asked(), { type: "questions_dropped", numbers: [1] }))).toEqual([]);
  });
});

describe("an answer", () => {
  const answer: EventBody = { type: "question_answered", number: 1, text: "The first." };

  test("is a message for the next prompt that stands alone, and the question is gone", () => {
    const { said, inbox } = after(began, asked(), answer);
    expect(inbox.open).toEqual([]);
    expect(said.map(({ text }) => text)).toEqual(["To your question “Which one?” (task: one):\nThe first."]);
  });

  test("to no open question changes nothing", () => {
    expect(after(began, answer).said).toEqual([]);
    expect(after(began, asked(), answer, answer).said).toHaveLength(1);
  });

  test("to a document's question holds for the next import too", () => {
    const question = asked({ kind: "import", task: null });
    expect(after(began, question, question).inbox.open).toHaveLength(1);
    expect(after(began, question, answer, question).inbox.open).toEqual([]);
  });

  test("gets a number that no later question has", () => {
    const { inbox } = after(began, asked(), answer, asked({ text: "Again?" }));
    expect(inbox.open.map(({ number }) => number)).toEqual([2]);
  });
});

describe("a task that is set aside", () => {
  const { tasks } = parsePlan("- [ ] one\n- [ ] two\n", []);
  const aside = after(parks, iterationStarted(1), asked({ parked: true }), ended({ progress: false }));

  test("is passed over, in the prompt too, until it is answered or the setting is off", () => {
    expect(takeableTasks(tasks, aside).map(({ text }) => text)).toEqual(["two"]);
    const [note = ""] = composeNotes(aside, settingsOf(), parsePlan("- [ ] one\n- [ ] two\n", []));
    expect(note).toContain("- one\nTake this one instead: two");
    const off = { ...aside, settings: { ON_QUESTION: "continue" } };
    expect(takeableTasks(tasks, off)).toHaveLength(2);
    expect(needsOf(off, { alive: false })[0]?.parked).toBe(false);
  });

  test("counts once; without a plan nothing else is left", () => {
    const two = after(parks, asked({ parked: true }), asked({ parked: true, task: "two" }));
    expect(countAside(two.inbox, two.settings)).toBe(2);
    const none = after(parks, asked({ parked: true, task: null }));
    expect(countAside(none.inbox, none.settings)).toBe(Number.POSITIVE_INFINITY);
  });

  test("brings no run nearer to stagnation, to a block or to an end without headway", () => {
    const each = Array.from({ length: 9 }, (_, index) => [
      iterationStarted(index + 1),
      asked({ parked: true, kind: "blocked", task: `task ${index}` }),
      ended({ progress: false, blocked: true }),
    ]).flat();
    const { blocked, headway } = after(parks, ...each);
    expect([blocked <= 1, headway.same <= 1, headway.idle <= 1]).toEqual([true, true, true]);
  });
});

describe("what is no question", () => {
  test("weakened gates are answered by ralph gates, live only by what works then, and leave when accepted or restored", () => {
    const weakened: EventBody = {
      type: "gate_weakened",
      commands: ["npm test"],
      evidence: "words",
      reasons: [{ path: "a.test.ts", line: 3, what: "a test is skipped" }],
      diff: "",
    };
    const state = after(began, weakened);
    expect(needsOf(state, { alive: false })).toMatchObject([
      { kind: "gates", number: null, commands: ["ralph gates accept", "ralph gates restore"] },
    ]);
    expect(needsOf(state, { alive: true })[0]?.commands).toEqual(["ralph gates accept"]);
    for (const type of ["gate_accepted", "gate_restored"] as const)
      expect(needsOf(after(began, weakened, { type }), { alive: false })).toEqual([]);
  });

  test("a limit that ended the run needs a person only without a stated end", () => {
    const limit = { kind: "usage_limit", message: "Limit reached", count: 1, until: null } as const;
    const finished = { reason: "usage_limit", exit_code: 5, sentence: "", at: "2026-01-01T00:00:00.000Z" } as const;
    const state = stateOf({ finished, limit: { ...limit, resets_at: null }, words: ["--on-limit=stop", "--calls=5"] });
    expect(needsOf(state, { alive: false })).toMatchObject([
      { kind: "limit", commands: ["ralph run --calls 5 --on-limit wait"] },
    ]);
    const known = { ...state, limit: { ...limit, resets_at: "2026-01-01T05:00:00.000Z" } };
    expect(needsOf(known, { alive: false })).toEqual([]);
  });

  test("a denial is lifted only where the run's flags decide, for that tool, and not while a run is live", () => {
    const state = after(began, asked({ kind: "denied", text: "Bash(rm x), Write" }));
    const commands = (words: string[], alive = false) =>
      needsOf({ ...state, words }, { alive }).flatMap((need) => need.commands);
    expect(commands([])).toEqual(['ralph inbox answer 1 "Do without it"']);
    const words = ["--permission-mode=acceptEdits", "--allowed-tools=Read"];
    expect(commands(words)[1]).toBe('ralph run --permission-mode acceptEdits --allowed-tools "Read,Bash(rm x),Write"');
    expect(commands(words, true)).toHaveLength(1);
    const list = after(began, asked({ kind: "denied", text: "Bash(rm x && ls)" }));
    expect(needsOf({ ...list, words }, { alive: false })[0]?.commands).toHaveLength(1);
    const long = { ...state, inbox: after(began, asked({ kind: "denied", text: `Bash(${"y".repeat(60)})` })).inbox };
    expect(needsOf({ ...long, words }, { alive: false })[0]?.commands[1]).toContain(`Bash(${"y".repeat(60)}:*)`);
  });
});

test("a state from before there were questions has none", () => {
  const { inbox: _, ...old } = initialState("/p");
  expect(needsOf(after(runStarted(old as State)), { alive: false })).toEqual([]);
});

describe("the inbox", () => {
  test("takes over the new words of a task that was reworded, and keeps the others", () => {
    const reworded = iterationFinished({ evidence: evidenceOf({ plan_reworded: [{ from: "one", to: "uno" }] }) });
    const { inbox } = after(began, asked(), asked({ task: "two" }), asked({ kind: "import", task: null }), reworded);
    expect(inbox.open.map(({ task }) => task)).toEqual(["uno", "two", null]);
  });

  test("keeps the newest hundred", () => {
    const many = Array.from({ length: 101 }, (_, at) => asked({ task: `task ${at}` }));
    const { open } = after(began, ...many).inbox;
    expect([open.length, open[0]?.number, open.at(-1)?.number]).toEqual([100, 2, 101]);
  });

  test("settles only the document's question that was answered", () => {
    const document = (text: string) => asked({ kind: "import", task: null, text });
    const answer = (number: number): EventBody => ({ type: "question_answered", number, text: "Yes." });
    const start = [document("Euro?"), document("Which tax?"), asked()];
    expect(after(began, ...start, answer(3), document("Euro?")).inbox.open.map(({ text }) => text)).toEqual([
      "Which tax?",
      "Euro?",
    ]);
    const { open, settled } = after(began, ...start, answer(1), document("Euro?"), document("Which tax?")).inbox;
    expect([open.map(({ text }) => text), settled]).toEqual([["Which one?", "Which tax?"], ["Euro?"]]);
  });

  test("knows a question again only among those on which a task is set aside", () => {
    const text = "Which database should the service use?";
    const again = "Still open: which database should the service use?";
    const isKnown = (start: EventBody, parked: boolean, words = again) => {
      const { inbox, settings } = after(start, asked({ text, parked }));
      return isAskedAgain(words, inbox, settings);
    };
    expect([isKnown(parks, true), isKnown(parks, false), isKnown(began, true)]).toEqual([true, false, false]);
    expect(isKnown(parks, true, "Which colour should the button have?")).toBe(false);
  });

  test("quotes three hundred characters of a long question in its answer", () => {
    const long = "x".repeat(301);
    const { said } = after(began, asked({ text: long }), { type: "question_answered", number: 1, text: " Yes. " });
    expect(said[0]?.text).toBe(`To your question “${"x".repeat(299)}…” (task: one):\nYes.`);
  });
});

test("a limit without an end is of the iteration that met it", () => {
  const limit = { kind: "usage_limit", until: null, resets_at: null, message: "" } as never;
  const finished = { reason: "usage_limit" } as never;
  const [need] = needsOf(stateOf({ run: "r", iteration: 7, limit, finished }), { alive: false });
  expect(need).toMatchObject({ kind: "limit", iteration: 7, parked: false, task: null, number: null });
});
