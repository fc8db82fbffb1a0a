import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pageFiles, readPage } from "../scripts/lib/docs/pages.ts";
import { demoPicture, withGeneratedParts } from "../scripts/lib/generated-docs.ts";
import { root } from "../scripts/lib/paths.ts";
import { type Command, commandsOf, type Definition } from "../src/cli/args/define.ts";
import { COMMANDS } from "../src/cli/command-table.ts";
import { STOP_REASONS } from "../src/core/stop/stop-reasons.ts";

const withParts = pageFiles().filter((file) => readPage(file).includes("<!-- made from the program: "));

describe("what the program makes (mend with: npm run docs)", () => {
  test.each(withParts)("is up to date in %s", (file) => {
    expect(readPage(file)).toBe(withGeneratedParts(readPage(file)));
  });

  test("is up to date in the picture of the demo", () => {
    expect(readFileSync(join(root, "docs/assets/demo.svg"), "utf8")).toBe(demoPicture());
  });

  test("stands on the pages of settings, commands, exit codes and agents", () => {
    const names = ["settings", "commands", "exit-codes", "drivers"].map((name) => `docs/${name}.md`);
    expect(withParts).toEqual(expect.arrayContaining(names));
  });
});

test("a table that is out of date is noticed", () => {
  const page = readPage("docs/settings.md");
  expect(withGeneratedParts(page.replace("MAX_CALLS_PER_HOUR", "MAX_CALLS"))).toBe(page);
});

test("a marker without a table is an error", () => {
  expect(() => withGeneratedParts("<!-- made from the program: nothing -->\n<!-- end -->")).toThrow(
    "no part called nothing",
  );
});

describe("the picture of the demo", () => {
  const picture = readFileSync(join(root, "docs/assets/demo.svg"), "utf8");

  test("shows the recorded run from its command to its end", () => {
    const text = picture.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]*>/g, "");
    expect(text.trim()).toMatch(/^\$ ralph demo\n[\s\S]*Iteration 3 [\s\S]*project_complete \(exit 0\)\n/);
  });

  test("is small, and loads and runs nothing", () => {
    expect(picture.length).toBeLessThan(12_000);
    expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|href|url\(|@import|<script/);
  });

  test("is whole for whoever wants no motion", () => {
    expect(picture).toContain("@media(prefers-reduced-motion){text{animation:none}}");
  });

  test("says nothing of the machine that it was recorded on", () => {
    const journal = readFileSync(join(root, "docs/assets/demo.jsonl"), "utf8");
    expect(
      [...journal.matchAll(/"(\/[^"]*)"/g)].map(([, path]) => path).filter((path) => path !== "/tmp/greeter"),
    ).toEqual([]);
  });
});

const isDefault = (definition: Definition, command: Command) =>
  "subCommands" in definition && definition.subCommands[definition.default] === command;

test("the page of interfaces has what every command prints with --json", () => {
  const page = readPage("docs/interfaces.md");
  const programs = Object.values(COMMANDS).flatMap((definition) =>
    commandsOf(definition).map((command) => ({
      args: command.args,
      // The default of a group goes by the group's name.
      names: [command.meta.name, ...(isDefault(definition, command) ? [definition.meta.name] : [])],
    })),
  );
  const told = (name: string) => new RegExp(`\`ralph ${name}\\b[^\`]*--json`).test(page);
  expect(
    programs.filter(({ args, names }) => "json" in args && !names.some(told)).map(({ names }) => names[0]),
  ).toEqual([]);
});

describe("the page of the product", () => {
  /** Names of commands that no row of its table has. The default of a group goes by the group's name. */
  const lacking = (page: string): string[] => {
    const [, section = ""] = page.split("\n## Commands\n");
    const rows = (section.split("\n### ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
    const told = (group: string, part: string) =>
      rows.some((row) => {
        const cell = row.split(/(?<!\\)\|/)[1] ?? "";
        return (cell.includes(`ralph ${group}`) && cell.includes(part)) || row.includes(`alias \`${group}\``);
      });
    return Object.values(COMMANDS).flatMap((definition) =>
      commandsOf(definition)
        .filter((command) => !isDefault(definition, command) || !told(definition.meta.name, ""))
        .map(({ meta }) => meta.name)
        .filter((name) => {
          const [group = "", part = ""] = name.split(" ");
          return !told(group, part);
        }),
    );
  };

  test("has every command", () => {
    expect(lacking(readPage("docs/product.md"))).toEqual([]);
  });

  test("is said to lack one that it does not have", () => {
    expect(lacking(readPage("docs/product.md").replace("open\\|skip N", "open N"))).toEqual(["plan skip"]);
  });
});

describe("the page of interfaces", () => {
  const page = readPage("docs/interfaces.md");
  const source = (path: string) => readFileSync(join(root, path), "utf8");

  test("has every field of a scripted agent's iteration", () => {
    const [, section = ""] = page.split("## The scripted agent");
    const [, schema = ""] =
      /^const iteration = v\.strictObject\(\{$([\s\S]*?)^\}\);$/m.exec(source("src/core/demo-script.ts")) ?? [];
    const fields = [...schema.matchAll(/^ {2}(\w+): /gm)].map(([, name = ""]) => name);
    expect(fields).toContain("hang_ms");
    expect(fields.filter((name) => !section.split("\n## ")[0]?.includes(`"${name}"`))).toEqual([]);
  });

  test("has the words of status.json, and no others", () => {
    const words = [...Object.values(STOP_REASONS).map(({ status }) => status), "running", "paused"];
    const [, told = ""] = /"status": "([\w|]+)", "exit_reason"/.exec(page) ?? [];
    expect(told.split("|").sort()).toEqual([...new Set(words)].sort());
  });
});
