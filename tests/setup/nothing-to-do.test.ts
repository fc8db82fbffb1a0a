import { describe, expect, test } from "bun:test";
import { hasNothingToDo, type WorkTexts } from "../../src/setup/nothing-to-do.ts";
import { newPlan } from "../../src/setup/plan/new-plan.ts";
import { GOAL } from "../../src/setup/scaffold-files.ts";
import { fillTemplate, TEMPLATES } from "../../src/setup/templates.ts";

const prompt = (objective: string) =>
  fillTemplate(TEMPLATES["PROMPT.md"], {
    PROJECT: "shop",
    OBJECTIVE: objective,
    PLAN: ".ralph/@fix_plan.md",
    AGENT: ".ralph/@AGENT.md",
  });
const fresh: WorkTexts = {
  prompt: prompt(GOAL),
  plan: newPlan("shop", []),
  specs: [TEMPLATES["specs-README.md"].text, "", " \n"],
};

describe("a project has nothing to do", () => {
  test.each<[string, Partial<WorkTexts>]>([
    ["as set-up makes it", {}],
    ["with the line ends and byte order mark of Windows", { prompt: `\uFEFF${prompt(GOAL).replaceAll("\n", "\r\n")}` }],
    ["without a plan and specs", { plan: null, specs: [] }],
    ["with a plan of headings and comments", { plan: "# Plan\n## High\n<!-- - [ ] Sign in -->\n" }],
  ])("%s", (_, more) => {
    expect(hasNothingToDo({ ...fresh, ...more })).toBe(true);
  });
});

describe("a project has something to do", () => {
  test.each<[string, Partial<WorkTexts>]>([
    ["with a prompt of its own, as old projects have", { prompt: "Build a shop.\n" }],
    ["with its goal in the prompt", { prompt: prompt("Build a shop that sells tea.") }],
    ["with a line added to the prompt", { prompt: `${prompt(GOAL)}\nBuild a shop.\n` }],
    ["with an open box", { plan: "- [ ] Sign in\n" }],
    ["with ticked boxes, which end the run as done", { plan: "- [x] Sign in\n" }],
    ["with an optional box", { plan: "## Optional\n- [ ] Dark mode\n" }],
    ["with words in the plan", { plan: `${newPlan("shop", [])}\nSign in by e-mail.\n` }],
    ["with a spec", { specs: ["# Sign in\n"] }],
    ["without a prompt, which is another error", { prompt: null }],
  ])("%s", (_, more) => {
    expect(hasNothingToDo({ ...fresh, ...more })).toBe(false);
  });
});
