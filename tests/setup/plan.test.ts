import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parsePlan } from "../../src/core/plan/fix-plan.ts";
import { mergePlan } from "../../src/setup/plan/merge.ts";
import { newPlan } from "../../src/setup/plan/new-plan.ts";
import { labelPriority, statedPriority } from "../../src/setup/plan/priority.ts";
import { requirementId } from "../../src/setup/plan/requirement-id.ts";
import { boxText, idOfBox, type Task, titleOfBox } from "../../src/setup/plan/task.ts";
import { seed } from "../seed.ts";

const task = (title: string, more: Partial<Task> = {}): Task => ({
  id: null,
  title,
  priority: "high",
  done: false,
  details: [],
  ...more,
});
const boxes = (text: string) => text.split("\n").filter((line) => /^\s*[-*] \[/.test(line));

describe("merging tasks into a plan", () => {
  test("keeps the tick of a task with a known id, and updates its title", () => {
    const { text, updated } = mergePlan("- [x] [#3] Old words\n", [task("New words", { id: "#3" })]);
    expect(text).toBe("- [x] [#3] New words\n");
    expect(updated).toHaveLength(1);
  });
  test("keeps the tick of a task with a known title, and adds its new id", () => {
    expect(mergePlan("- [x] Story 1.1: Sign in.\n", [task("Sign in", { id: "Story 1.2" })]).text).toBe(
      "- [x] Story 1.2: Sign in\n",
    );
  });
  test("ticks a task that is done at its source, and never unticks it", () => {
    const ticked = mergePlan("- [ ] [#3] A\n", [task("A", { id: "#3", done: true })]).text;
    expect(ticked).toBe("- [x] [#3] A\n");
    expect(mergePlan(ticked, [task("A", { id: "#3" })]).text).toBe(ticked);
  });
  test("a group whose name ends in a hash is found again", () => {
    const planned = mergePlan("## High Priority\n", [task("A", { group: "Port to C#" })]).text;
    const { text } = mergePlan(planned, [task("B", { group: "Port to C#" })]);
    expect(text.match(/Port to C#/g)).toHaveLength(1);
  });
  test("keeps the user's wording if only case and markup differ", () => {
    const plan = "* [ ] **Sign in** with `mail`\n";
    expect(mergePlan(plan, [task("sign in with mail.")])).toMatchObject({ text: plan, added: [], unchanged: 1 });
  });
  test("appends a new task to its section, and creates a missing section in its place", () => {
    const plan = "# Plan\n\n## High\n- [ ] a\n\n## Completed\n- [x] z\n\n## Notes\n- n\n";
    const { text } = mergePlan(plan, [
      task("b"),
      task("c", { priority: "low" }),
      task("d", { priority: "optional", details: ["why"] }),
      task("e", { done: true }),
    ]);
    expect(text).toBe(
      "# Plan\n\n## High\n- [ ] a\n- [ ] b\n\n## Low Priority\n\n- [ ] c\n\n## Optional\n\n- [ ] d\n  > why\n\n## Completed\n- [x] z\n- [x] e\n\n## Notes\n- n\n",
    );
  });
  test("adds a repeated task once", () => {
    expect(
      boxes(mergePlan("", [task("a"), task("A."), task("b", { id: "#1" }), task("c", { id: "#1" })]).text),
    ).toEqual(["- [ ] a", "- [ ] [#1] b"]);
  });
  test("lets no title, detail, group or note start a comment that hides the boxes below", () => {
    const tasks = [
      task("open <!-- a", { id: "FR-1", details: ["<!-- b"], group: "<!-- c" }),
      task("between"),
      task("close --> d"),
    ];
    const open = (text: string) => parsePlan(text, []).counts.unchecked;
    const made = newPlan("<!--", tasks, ["<!-- e"]);
    expect([made, mergePlan("# Plan\n", tasks).text, mergePlan("- [ ] FR-1: old\n", tasks).text].map(open)).toEqual([
      3, 3, 3,
    ]);
    expect(mergePlan(made, tasks)).toMatchObject({ added: [], updated: [], text: made });
  });
  test("ignores boxes in code fences and comments", () => {
    const plan = "```\n- [ ] a\n```\n<!-- - [ ] a -->\n";
    expect(mergePlan(plan, [task("a")]).added).toHaveLength(1);
  });
  test("keeps two issues with one title apart, and matches by id before title", () => {
    const { text } = mergePlan("- [x] [#3] Typo\n- [ ] [#9] Typo\n", [
      task("Typo", { id: "#5" }),
      task("Typo", { id: "#9" }),
    ]);
    expect(boxes(text)).toEqual(["- [x] [#3] Typo", "- [ ] [#9] Typo", "- [ ] [#5] Typo"]);
  });
  test("moves no tick when an inserted requirement renumbers the others", () => {
    const plan = "- [x] FR-1: Sign in\n- [ ] FR-2: Reset\n";
    const tasks = [task("Sign up", { id: "FR-1" }), task("Sign in", { id: "FR-2" }), task("Reset", { id: "FR-3" })];
    expect(boxes(mergePlan(plan, tasks).text)).toEqual([
      "- [x] FR-2: Sign in",
      "- [ ] FR-3: Reset",
      "- [ ] FR-1: Sign up",
    ]);
  });
  test("keeps two tasks for a requirement in two steps", () => {
    const tasks = [task("Server", { id: "FR-1" }), task("Page", { id: "FR-1" })];
    const plan = newPlan("x", tasks).replace("- [ ] FR-1: Page", "- [x] FR-1: Page");
    expect(boxes(plan)).toEqual(["- [ ] FR-1: Server", "- [x] FR-1: Page"]);
    expect(mergePlan(plan, tasks)).toMatchObject({ text: plan, added: [] });
    expect(boxes(mergePlan(plan, [task("Service", { id: "FR-1" }), task("Page", { id: "FR-1" })]).text)).toEqual([
      "- [ ] FR-1: Service",
      "- [x] FR-1: Page",
    ]);
  });
  test("takes an equal number of another document as a new task, but follows a renamed document", () => {
    const of = (file: string, ...titles: string[]) =>
      titles.map((title, at) => task(title, { id: `FR-${at + 1}`, details: [`Spec: specs/${file}.md#requirements`] }));
    const plan = newPlan("x", of("a", "Sign in", "Reset")).replace("[ ] FR-1", "[x] FR-1");
    const both = mergePlan(plan, of("b", "Send invoices", "Take cards")).text;
    expect(boxes(both)).toEqual([
      "- [x] FR-1: Sign in",
      "- [ ] FR-2: Reset",
      "- [ ] FR-1: Send invoices",
      "- [ ] FR-2: Take cards",
    ]);
    expect(mergePlan(both, of("b", "Send invoices", "Take cards"))).toMatchObject({ text: both, added: [] });
    const second = mergePlan(plan, of("a-v2", "Sign in", "Reset by mail", "Sign out"));
    expect(boxes(second.text)).toEqual(["- [x] FR-1: Sign in", "- [ ] FR-2: Reset by mail", "- [ ] FR-3: Sign out"]);
    expect(second.text).not.toContain("specs/a.md");
  });
  test("updates the place in the specs of a moved task, and keeps the other lines below it", () => {
    const plan = "- [x] FR-1: A\n  > mine\n  > Spec: specs/a.md#old\n  - [ ] part\n- [ ] FR-2: B\n";
    const { text, updated, added } = mergePlan(plan, [
      task("A", { id: "FR-1", details: ["theirs", "Spec: specs/a.md#new"] }),
      task("B", { id: "FR-2", details: ["Spec: specs/a.md#b"] }),
    ]);
    expect(text).toBe(plan.replace("#old", "#new"));
    expect([updated.length, added.length]).toEqual([1, 0]);
  });
  test("keeps one title in two groups as two tasks with their own ticks", () => {
    const tasks = [task("Tests", { group: "In" }), task("Tests", { group: "Out" })];
    const plan = newPlan("x", tasks).replace("### Out\n\n- [ ] Tests", "### Out\n\n- [x] Tests");
    expect(boxes(plan)).toEqual(["- [ ] Tests", "- [x] Tests"]);
    expect(mergePlan(plan, [...tasks].reverse())).toMatchObject({ text: plan, added: [], updated: [] });
    expect(mergePlan(plan, [task("Tests", { group: "Else" }), ...tasks]).added).toMatchObject([{ group: "Else" }]);
    expect(mergePlan(plan.replace("### In", "### Renamed"), tasks)).toMatchObject({ added: [], updated: [] });
  });
  test("finds a group in the section of its urgency, or where the user put it", () => {
    const low = { group: "G", priority: "low" } as const;
    const plan = "## High Priority\n\n### G\n\n- [ ] a\n\n## Low Priority\n";
    expect(mergePlan(plan, [task("b", low)]).text).toBe(`${plan}\n### G\n\n- [ ] b\n`);
    expect(mergePlan("## My order\n### G\n- [ ] a\n", [task("b", low)]).text).toBe(
      "## My order\n### G\n- [ ] a\n- [ ] b\n",
    );
  });
  test("keeps tasks without a group in order before and after groups", () => {
    const tasks = [task("a"), task("b", { group: "G" }), task("c"), task("d", { group: "G" })];
    const plan = newPlan("x", tasks);
    expect(plan).toContain("- [ ] a\n\n### G\n\n- [ ] b\n- [ ] d\n\n### Further tasks\n\n- [ ] c\n");
    expect(mergePlan(plan, [task("e")]).text).toContain("### Further tasks\n\n- [ ] c\n- [ ] e\n");
  });
  test("updates the document's lines below a box, and keeps the user's", () => {
    const was = task("Sign in", { id: "FR-1", details: ["five tries", "Spec: specs/a.md"] });
    const now = task("Sign in", { id: "FR-1", details: ["six tries", "then locked", "Spec: specs/a.md"], was });
    const plan = "- [x] FR-1: Sign in (mine)\n  > five tries\n  > Spec: specs/a.md\n  > a note\n- [ ] b\n";
    const merged = mergePlan(plan, [now]);
    expect(merged.text).toBe(plan.replace("five tries", "six tries\n  > then locked"));
    expect(merged.doneBefore).toEqual([now]);
    const theirs = plan.replace("five tries", "seven tries");
    expect(mergePlan(theirs, [now])).toMatchObject({ text: theirs, doneBefore: [now] });
    expect(mergePlan(theirs.replace("[x]", "[ ]"), [now])).toMatchObject({ updated: [], doneBefore: [], kept: [now] });
    expect(mergePlan(plan, [{ ...now, title: "Log in" }]).text).toContain("- [x] FR-1: Sign in (mine)\n");
    expect(mergePlan(plan.replace(" (mine)", ""), [{ ...now, title: "Log in" }]).text).toContain(
      "- [x] FR-1: Log in\n",
    );
  });
  describe("a repeated import", () => {
    const of = (id: string, title: string, was?: Task | null) =>
      task(title, { id, details: ["Spec: specs/a.md"], ...(was === undefined ? {} : { was }) });
    const signIn = of("FR-1", "Sign in");
    const planOf = (...all: string[]) => all.map((one) => `- [ ] ${one}\n  > Spec: specs/a.md\n`).join("");
    const after = (plan: string, ...tasks: Task[]) => boxes(mergePlan(plan, tasks).text).map((line) => line.slice(6));

    test.each<[string, string, Task[], string[]]>([
      [
        "moves the user's words with a renumbered requirement",
        planOf("FR-1: Sign in by mail"),
        [of("FR-1", "Put in between", null), of("FR-2", "Sign in", signIn)],
        ["FR-2: Sign in by mail", "FR-1: Put in between"],
      ],
      [
        "leaves a number's words alone if its earlier meaning is unknown",
        planOf("FR-1: Sign in by mail"),
        [of("FR-1", "Export", null)],
        ["FR-1: Sign in by mail", "FR-1: Export"],
      ],
      [
        "takes nothing from the plan if edited specs contain less",
        planOf("FR-2: Export it all", "FR-3: Sign in by mail", "FR-1: Begin"),
        [
          of("FR-1", "Begin", null),
          of("FR-2", "Export", of("FR-1", "Export")),
          of("FR-3", "Sign in", of("FR-2", "Sign in")),
        ],
        ["FR-2: Export it all", "FR-3: Sign in by mail", "FR-1: Begin"],
      ],
      [
        "matches by title before number",
        planOf("FR-1: Sign in", "FR-3: Share with all"),
        [of("FR-3", "Sign in", of("FR-3", "Share"))],
        ["FR-3: Sign in", "FR-3: Share with all"],
      ],
      [
        "keeps the order of tasks with one title",
        planOf("FR-1: Test", "FR-2: Test"),
        [of("FR-1", "Begin"), of("FR-2", "Test"), of("FR-3", "Test")],
        ["FR-3: Test", "FR-2: Test", "FR-1: Begin"],
      ],
      [
        "picks the more similar of two boxes with one number",
        planOf("FR-1: Sign out", "FR-1: Sign in by mail"),
        [of("FR-2", "Sign in", signIn)],
        ["FR-1: Sign out", "FR-2: Sign in by mail"],
      ],
      [
        "takes the user's own numbered box as another task, unless the words are similar",
        "- [ ] FR-1: mine\n- [ ] FR-2: Pay now\n",
        [of("FR-1", "Sign in", signIn), of("FR-2", "Pay", of("FR-2", "Pay"))],
        ["FR-1: mine", "FR-2: Pay now", "FR-1: Sign in"],
      ],
    ])("%s", (_, plan, tasks, wanted) => expect(after(plan, ...tasks)).toEqual(wanted));

    test("leaves an up-to-date box alone", () => {
      const details = (...all: string[]) => ({ ...signIn, details: [...all, "Spec: specs/a.md"] });
      const plan = "- [ ] FR-1: Sign in\n  > one\n  > two\n  > Spec: specs/a.md\n";
      const merged = mergePlan(plan, [{ ...details("one", "two"), was: details("one") }]);
      expect(merged).toMatchObject({ text: plan, updated: [], kept: [] });
    });
  });
  test("reports an open box that its document no longer names", () => {
    const plan =
      "- [ ] FR-1: A\n  > Spec: specs/a.md#x\n- [x] FR-2: B\n  > Spec: specs/a.md\n- [ ] FR-3: C\n  > Spec: specs/b.md\n- [ ] mine\n";
    expect(mergePlan(plan, [task("D", { id: "FR-4", details: ["Spec: specs/a.md"] })]).left).toEqual(["FR-1: A"]);
  });
  test.each(["[Backend] Add login", "[api] Add login", "[front-end] Add login", "[-] Add login", "2.1: Add login"])(
    "finds the box of a task whose words only look like an id: %s",
    (title) => {
      const one = task(title, { details: ["Spec: specs/a.md"] });
      const plan = newPlan("x", [one, task("Add logout")]).replace(/^- \[ \]/m, "- [x]");
      const again = mergePlan(plan, [{ ...one, was: one }, task("Add logout")]);
      expect(again).toMatchObject({ text: plan, added: [], kept: [], doneBefore: [], left: [] });
    },
  );
  test.each(["Shop-a3f", "shopfloor", "Ünit-4"])("finds the box of the bead %s, with a new title too", (id) => {
    const plan = newPlan("x", [task("Two", { id }), task("One", { id: `${id}.1` })]).replace(/^- \[ \]/m, "- [x]");
    const tasks = [task("Two", { id }), task("One", { id: `${id}.1` })];
    expect(mergePlan(plan, tasks)).toMatchObject({ text: plan, added: [] });
    const merged = mergePlan(plan, [task("Three", { id })]);
    expect(merged.added).toEqual([]);
    expect(boxes(merged.text)[0]).toBe(`- [x] ${boxText({ id, title: "Three" })}`);
  });
  test("finds the box of a task without an id that its user reworded, and keeps the words and the tick", () => {
    const [one, other] = ["Sign in by mail", "Sign out"].map((title) => task(title, { details: ["Spec: specs/a.md"] }));
    const plan = newPlan(
      "x",
      [one, other].flatMap((each) => each ?? []),
    )
      .replace("Sign in by mail", "Sign in by mail, with a code")
      .replace(/^- \[ \]/m, "- [x]");
    const again = [one, other].flatMap((was) => (was === undefined ? [] : { ...was, was }));
    expect(mergePlan(plan, again)).toMatchObject({ text: plan, added: [], kept: [], left: [] });
    // Another document's task with such words is another task.
    const elsewhere = again.map((each) => ({ ...each, details: ["Spec: specs/b.md"] }));
    expect(mergePlan(plan, elsewhere).added.map(({ title }) => title)).toEqual(["Sign in by mail"]);
  });
  test("keeps the line ends", () => {
    expect(mergePlan("## High Priority\r\n- [x] a\r\n", [task("b")]).text).toBe(
      "## High Priority\r\n- [x] a\r\n- [ ] b\r\n",
    );
  });
  test("never loses a tick or a line, and changes nothing the second time", () => {
    const words = fc.constantFrom("a", "b", "c", "Sign in", "FR-1: x", "[#2] y");
    const section = fc.constantFrom("## High Priority", "## Low", "## Whatever", "");
    const line = fc.oneof(
      section,
      fc.tuple(fc.constantFrom(" ", "x"), words).map(([mark, word]) => `- [${mark}] ${word}`),
    );
    const one = fc.record({
      id: fc.constantFrom(null, "#2", "FR-1", "#9"),
      title: fc.constantFrom("a", "b", "x", "y", "new"),
      priority: fc.constantFrom("high", "medium", "low", "optional"),
      done: fc.boolean(),
      details: fc.constantFrom([], ["detail"]),
    } as const);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(one, { maxLength: 6 }), (lines, tasks) => {
        const plan = lines.join("\n");
        const before = parsePlan(plan, []).counts;
        const { text, added } = mergePlan(plan, tasks);
        const after = parsePlan(text, []).counts;
        expect(after.checked).toBeGreaterThanOrEqual(before.checked);
        expect(after.checked + after.unchecked).toBe(before.checked + before.unchecked + added.length);
        expect(mergePlan(text, tasks).added).toEqual([]);
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe("a new plan", () => {
  test("has each task in its section, and reads back unchanged", () => {
    const text = newPlan("shop", [
      task("a", { id: "FR-1", details: ["Spec: specs/x.md"] }),
      task("b", { priority: "optional" }),
      task("c", { done: true }),
    ]);
    const plan = parsePlan(text, ["Optional"]);
    expect(plan.counts).toEqual({ total: 2, checked: 1, unchecked: 2, blocking_unchecked: 1 });
    expect(plan.tasks.map(({ text: words, section }) => [words, section])).toEqual([
      ["FR-1: a", "High Priority"],
      ["b", "Optional"],
    ]);
  });
  test("has no box without tasks, and is not complete by accident", () => {
    expect(parsePlan(newPlan("x", []), []).counts.total).toBe(0);
  });
});

describe("the id of a box", () => {
  test.each([
    ["FR-3: Sign in", "FR-3", "Sign in"],
    ["FR-3 Sign in", "FR-3", "Sign in"],
    ["NFR-SEC-12.1 — Hash", "NFR-SEC-12.1", "Hash"],
    ["Story 1.2: As a user", "Story 1.2", "As a user"],
    ["R12) Export", "R12", "Export"],
    ["REQ-7", "REQ-7", ""],
  ])("is read from %p", (text, id, rest) => expect(requirementId(text)).toEqual({ id, rest }));
  test.each(["H2 headings", "UTF-8: encode", "Sign in", "3D view", "A-level: students"])(
    "is not read from the word %p",
    (text) => {
      const found = requirementId(text);
      expect(found === null || found.id === "UTF-8").toBe(true);
    },
  );
  test.each([
    task("T", { id: "#4" }),
    task("T", { id: "bd-7" }),
    task("T", { id: "FR-3" }),
    task("T", { id: "Story 2.10" }),
    task("T"),
  ])("survives writing and reading the box of %p", (one) =>
    expect({ id: idOfBox(boxText(one)), title: titleOfBox(boxText(one)) }).toEqual({ id: one.id, title: one.title }),
  );
});

describe("the priority", () => {
  test.each([
    ["Critical crash", "high"],
    ["nice to have theme", "optional"],
    ["must validate", "high"],
    ["p3 thing", "low"],
    ["ordinary", null],
    ["optional but required", "optional"],
    ["mustard picker", null],
    ["Translate page", null],
  ] as const)('of the text "%s" is %p', (text, priority) => expect(statedPriority(text)).toBe(priority));
  test.each([
    [["P0"], "high"],
    [["bug", "priority: P3"], "low"],
    [["Priority/Medium"], "medium"],
    [["p4"], "optional"],
    [["bug", "help wanted"], null],
  ] as const)("of the labels %p is %p", (labels, priority) => expect(labelPriority(labels)).toBe(priority));
});
