/**
 * The names in a repository are text: they are never executed, written as code, or shown to a terminal as a command.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { KEYS, terminal } from "../support/terminal.ts";

afterAll(cleanUp);

const NAMES = [
  `it's "quoted"`,
  "$(touch executed)",
  "`touch executed`",
  "a; touch executed #",
  "a\ntouch executed\n",
  "a\r\nPLATFORM_DRIVER=$(touch executed)",
  "\u001b[2J\u001b]0;owned\u0007x",
  "\u202egnp.exe\u2066",
  "${IFS}$HOME\\",
  "{{PROJECT}} {{PLAN}}",
  "]](javascript:x) <!-- <script>",
  "x".repeat(5000),
];
/** What a name must never put on a screen; our own colours are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal would obey
const OBEYED = /\x1b\]|\x1b\[2J|\x07|[\u202a-\u202e\u2066-\u2069]/;

/** A project in which everything with a name has this one. */
function hostile(name: string): Project {
  const folder = name.replaceAll("/", "").slice(0, 60);
  const where = project({ files: {}, git: false, env: { PATH: "/nowhere" } });
  const at = (path: string, text: string) => {
    const file = join(where.dir, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  at("package.json", JSON.stringify({ name, packageManager: name, scripts: { [name]: "x", test: "true" } }));
  at(
    "pyproject.toml",
    `[project]\nname = ${JSON.stringify(name)}\n[project.scripts]\n${JSON.stringify(name)} = "a:b"\n`,
  );
  at("Cargo.toml", `[package]\nname = ${JSON.stringify(name)}\n`);
  at("pom.xml", `<project><artifactId>${name}</artifactId></project>`);
  at("justfile", `${name}:\n  x\n`);
  at(`cmd/${folder}/main.go`, "");
  at(`docs/prd ${folder}.md`, "# Shop\n\n- FR-1: Sell\n");
  at("docs/prd.md", "# Shop\n\n- FR-1: Sell\n");
  at("_bmad/config.yaml", `planning_artifacts: ${name}\n`);
  at(".git/HEAD", `ref: refs/heads/${name}\n`);
  at(".git/config", `[remote "origin"]\n\turl = ${JSON.stringify(`https://github.com/${name}/${name}.git`)}\n`);
  return { ...where, dir: join(where.dir, folder), path: (path) => join(where.dir, folder, path) };
}

const executed = ({ dir }: Project) => [...new Bun.Glob("**/executed").scanSync({ cwd: dirname(dir), dot: true })];

describe.skipIf(process.platform === "win32")("a project with a hostile name for everything", () => {
  test.concurrent.each(NAMES.map((name) => [JSON.stringify(name).slice(0, 40), name]))(
    "is set up without running the name %s",
    async (_, name) => {
      const where = hostile(name);
      const run = async (...argv: string[]) => {
        const shown = await where.ralph("-C", where.dir, ...argv);
        expect(shown.stdout + shown.stderr).not.toMatch(OBEYED);
        return shown;
      };
      await run();
      expect((await run("setup", "--yes")).exit).toBe(0);
      expect((await run("status")).exit).toBe(0);
      const settings = await Bun.file(where.path(".ralph/.ralphrc")).text();
      // A shell reads the same settings from the file as ralph, and runs nothing.
      const script = '. "$1"; printf %s "$PROJECT_NAME"';
      const shell = Bun.spawnSync(["/bin/sh", "-c", script, "sh", where.path(".ralph/.ralphrc")], { cwd: where.dir });
      const config = JSON.parse((await run("config", "--json")).stdout);
      expect(config.settings.PROJECT_NAME.value).toBe(shell.stdout.toString());
      expect({ warnings: config.warnings, stderr: shell.stderr.toString() }).toEqual({ warnings: [], stderr: "" });
      expect(settings.match(/^PLATFORM_DRIVER=.*$/gm)).toEqual(["PLATFORM_DRIVER=claude-code"]);
      for (const file of ["PROMPT.md", "@AGENT.md", "@fix_plan.md"]) {
        const text = await Bun.file(where.path(`.ralph/${file}`)).text();
        expect(text).not.toMatch(OBEYED);
        expect(text).not.toMatch(/^touch executed/m);
      }
      expect(executed(where)).toEqual([]);
    },
  );

  test("is shown by the wizard without terminal escapes", async () => {
    for (const name of NAMES.slice(4, 8)) {
      const where = hostile(name);
      const screen = terminal(["setup", "--driver", "codex"], { cwd: where.dir, env: where.env });
      await screen.sees("What is to be done?");
      screen.type(KEYS.enter);
      await screen.sees("Write these files?");
      screen.type(KEYS.down + KEYS.down + KEYS.enter);
      await screen.sees("Which one?");
      screen.type(KEYS.enter);
      await screen.sees("You are one iteration of a loop");
      await screen.sees("Write these files?");
      screen.type(KEYS.interrupt);
      expect(await screen.ended).toBe(130);
      expect(screen.raw()).not.toMatch(OBEYED);
      expect(executed(where)).toEqual([]);
    }
  });
});
