import { describe, expect, test } from "bun:test";
import { originLine } from "../../src/setup/import/spec-base.ts";
import { hasNothingToDo, type WorkTexts } from "../../src/setup/nothing-to-do.ts";
import { newPlan } from "../../src/setup/plan/new-plan.ts";
import { GOAL, specGoal } from "../../src/setup/scaffold-files.ts";
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
    ["with a spec that has a title only", { specs: ["# Empty\n"] }],
    ["with a spec that has an underlined title only", { specs: ["Empty\n=====\n"] }],
    ["with a spec that has a title and a comment only", { specs: ["# Empty\n\n<!-- to be written -->\n"] }],
    [
      "with a document taken over that has a title only",
      { prompt: prompt(specGoal("requirements", "`Empty`")), specs: [`${originLine("a.md")}\n\n# Empty\n`] },
    ],
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
    ["with a spec", { specs: ["# Sign in\n\nBy e-mail.\n"] }],
    ["with a spec of a line", { specs: ["Sign in by e-mail.\n"] }],
    ["with a spec of headings, as each may be a requirement", { specs: ["# Shop\n\n## Sign in\n\n## Pay\n"] }],
    ["with a spec of code", { specs: ["# API\n\n```yaml\nopenapi: 3.1.0\n```\n"] }],
    [
      "with a document that was taken over",
      { prompt: prompt(specGoal("shop", "`Shop`")), specs: ["# Shop\n\nSells tea.\n"] },
    ],
    ["without a prompt, which is another error", { prompt: null }],
  ])("%s", (_, more) => {
    expect(hasNothingToDo({ ...fresh, ...more })).toBe(false);
  });
});
