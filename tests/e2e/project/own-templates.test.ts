/** Templates of the user's own in the place of the built-in ones, on the compiled program. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { configFolder } from "../../../src/effects/user/home.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const PRD = "# Shop\n\n## Requirements\n- FR-1: Sign in\n";
const home = ({ env }: Project) => env.HOME ?? "";
const ofTheOriginals = (at: Project, name: string) => join(home(at), ".ralph", "templates", name);
const configured = (at: Project, name: string) =>
  join(configFolder({ platform: process.platform, env: at.env, home: home(at) }), "templates", name);

function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe("a set-up with templates of the user's own", () => {
  test("takes them file by file, the configuration folder's first, and says which", async () => {
    const at = project({ files: { "package.json": '{"name":"shop"}', "prd.md": PRD } });
    const prompt = put(
      configured(at, "PROMPT.md"),
      "Work on {{PROJECT}} by {{PLAN}}.\r\nKeep ${{ GITHUB }} and {{MINE}}.\r\n",
    );
    put(ofTheOriginals(at, "PROMPT.md"), "not this one\n");
    const plan = put(ofTheOriginals(at, "fix_plan.md"), "# My plan\n\n## High Priority\n- [ ] Tidy up\n\n## Notes\n");
    const settings = put(ofTheOriginals(at, "ralphrc.txt"), "MAX_CALLS_PER_HOUR=7\nPLATFORM_DRIVER=codex\n");
    put(ofTheOriginals(at, "gitignore.txt"), "nothing\n");
    put(ofTheOriginals(at, "unknown.md"), "nothing\n");

    const words = ["setup", "--yes", "--from", "prd", "--driver", "claude-code"] as const;
    const { exit, stdout } = await at.ralph(...words, "--json");
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ templates: [prompt, plan, settings], warnings: [] });
    expect(at.read(".ralph/PROMPT.md")).toBe(
      "Work on `shop` by .ralph/@fix_plan.md.\nKeep ${{ GITHUB }} and {{MINE}}.\n",
    );
    expect(
      parsePlan(at.read(".ralph/@fix_plan.md"), [])
        .tasks.map(({ text }) => text)
        .sort(),
    ).toEqual(["FR-1: Sign in", "Tidy up"]);
    expect(at.read(".ralph/@fix_plan.md")).toStartWith("# My plan\n");
    expect(at.read(".ralph/.ralphrc")).toContain("MAX_CALLS_PER_HOUR=7\nPLATFORM_DRIVER=claude-code\n");
    expect(at.read(".ralph/.gitignore")).toContain("/runs/");
    expect(at.read(".ralph/@AGENT.md")).toContain("How to work on");

    const again = await at.ralph(...words, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ already: true, templates: [] });
    const review = put(configured(at, "REVIEW_PROMPT.md"), "Look for faults.\n");
    const newer = await at.ralph(...words);
    expect(newer.stdout.replace(/\s+/g, " ")).toContain(`From your template ${review} `);
    expect(at.read(".ralph/REVIEW_PROMPT.md")).toBe("Look for faults.\n");
  });

  test("warns of a prompt that is made for other places, as that of the originals is", async () => {
    const at = project({ files: {} });
    const prompt = put(ofTheOriginals(at, "PROMPT.md"), "Study .ralph/fix_plan.md and take the first box.\n");
    const { exit, stderr } = await at.ralph("setup", "--yes");
    expect(exit).toBe(0);
    expect(stderr.replace(/\s+/g, " ")).toContain(
      `Your template ${prompt} does not name the plan of this project, .ralph/@fix_plan.md: {{PLAN}} stands for it.`,
    );
  });

  test("follows a link to one, and passes over a folder of that name", async () => {
    const at = project({ files: {} });
    put(join(home(at), "elsewhere.md"), "By {{PLAN}}.\n");
    mkdirSync(ofTheOriginals(at, "AGENT.md"), { recursive: true });
    symlinkSync(join(home(at), "elsewhere.md"), ofTheOriginals(at, "PROMPT.md"));
    expect((await at.ralph("setup", "--yes")).exit).toBe(0);
    expect(at.read(".ralph/PROMPT.md")).toBe("By .ralph/@fix_plan.md.\n");
    expect(at.read(".ralph/@AGENT.md")).toContain("How to work on");
  });
});
