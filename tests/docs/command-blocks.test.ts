/** Which commands the pages hold, and that none escapes the test that runs them. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandBlocks, useOf } from "../../scripts/lib/docs/command-blocks.ts";
import { examples } from "../../scripts/lib/docs/examples.ts";
import { pageFiles, readPage } from "../../scripts/lib/docs/pages.ts";
import { root } from "../../scripts/lib/paths.ts";
import { commandsOf, GLOBAL_ARGS } from "../../src/cli/args/define.ts";
import { settingFlags } from "../../src/cli/args/flags.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { settingSpec } from "../../src/core/settings/settings.ts";

describe("a block of commands", () => {
  const page = (mark: string, tag = "sh") => `# Page\n\n${mark}\n\n\`\`\`${tag}\nralph run\n\`\`\`\n`;

  test.each([
    ["", { world: null, key: null, exit: 0 }],
    ["<!-- commands: in project -->", { world: "project", key: null, exit: 0 }],
    ["<!-- commands: pressing q -->", { world: null, key: "q", exit: 0 }],
    ["<!-- commands: in live, pressing Ctrl+C, exit 130 -->", { world: "live", key: "Ctrl+C", exit: 130 }],
    ["<!-- commands: not run: needs an account -->", { notRun: "needs an account" }],
    ["<!-- commands: run by tests/docs.test.ts -->", { runBy: "tests/docs.test.ts" }],
  ])("marked %s", (mark, use) => {
    expect(commandBlocks("page.md", page(mark))).toEqual([{ file: "page.md", line: 5, text: "ralph run", use }]);
  });

  test("of another language is none", () => {
    expect(commandBlocks("page.md", page("", "text"))).toEqual([]);
  });

  test("below a list loses its indent", () => {
    const [block] = commandBlocks("page.md", "1. Do:\n\n   ```sh\n   ralph run\n     --quiet\n   ```\n");
    expect(block?.text).toBe("ralph run\n  --quiet");
  });

  test.each([
    ["<!-- commands: somehow -->", "sh", 'page.md:5: "somehow" says neither how nor why not'],
    ["<!-- commands: in project -->", "text", "stands before a block that is not in sh"],
    ["<!-- commands: in project -->\n\nWords.", "sh", "stands before no block of commands"],
  ])("cannot be marked %s before %s", (mark, tag, complaint) => {
    expect(() => commandBlocks("page.md", page(mark, tag))).toThrow(complaint);
  });
});

const blocks = [...pageFiles().flatMap((file) => commandBlocks(file, readPage(file))), ...examples()];

test("the tests that are said to run the others are there", () => {
  const tests = blocks.flatMap(({ use }) => ("runBy" in use ? [use.runBy] : []));
  expect(tests.length).toBeGreaterThan(0);
  expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("every command of the program is run by a block or an example, or by the test that is named", () => {
  const run = blocks.flatMap(({ text, use }) => ("notRun" in use ? [] : [...text.matchAll(/\bralph ([a-z]+)/g)]));
  const names = new Set(run.map(([, name = ""]) => name));
  // An alias, whose examples are those of the command that it stands for.
  expect(Object.keys(COMMANDS).filter((name) => !names.has(name))).toEqual(["enable"]);
});

test("every block of the pages has a language, so that no commands hide in one without", () => {
  const untold = pageFiles().flatMap((file) => {
    const fences = readPage(file)
      .split("\n")
      .filter((line) => /^ *```/.test(line));
    return fences.flatMap((line, index) => (index % 2 === 0 && line.trim() === "```" ? [file] : []));
  });
  expect(untold).toEqual([]);
});

test("no command stands in a block of another language, but in the help and what is printed", () => {
  const hidden = pageFiles().flatMap((file) => {
    const others = [...readPage(file).matchAll(/^```(?!sh$)(\w+)\n([\s\S]*?)^```$/gm)];
    return others.flatMap(([, , text = ""]) =>
      text.split("\n").filter((line) => /^(?:\$ )?ralph (?![\w -]+: )\S/.test(line)),
    );
  });
  expect(hidden).toEqual([]);
});

/** The commands that are named within a sentence: `ralph NAME …`. */
function named(page: string): string[] {
  const spans = page.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/`(ralph [a-z][^`\n]*)`/g);
  return [...spans].map(([, words = ""]) => words);
}

/** What such a command says that the program does not know. */
function unknownIn(command: string): string[] {
  const [, name = "", ...words] = command.split(/\s+/);
  const definition = COMMANDS[name];
  if (definition === undefined) return [`${command}: no command called ${name}`];
  const commands = [...commandsOf(definition), ...commandsOf(COMMANDS.run ?? definition)];
  const known = new Set(
    [...commands.flatMap(({ args }) => Object.keys(args)), ...Object.keys(GLOBAL_ARGS)].flatMap((flag) => [
      flag,
      `no-${flag}`,
    ]),
  );
  for (const { settings } of commands)
    for (const setting of settingFlags(settings)) {
      const { flag } = settingSpec(setting);
      for (const spelling of [flag?.name, ...(flag?.old ?? [])]) known.add(spelling ?? "").add(`no-${spelling}`);
    }
  return words.flatMap((word) => {
    const flag = /^--([\w-]+)/.exec(word)?.[1];
    return flag === undefined || known.has(flag) ? [] : [`${command}: no flag --${flag}`];
  });
}

test.each(pageFiles())("the commands in the sentences of %s are the program's", (file) => {
  expect(named(readPage(file)).flatMap(unknownIn)).toEqual([]);
});

test("a command or a flag that the program does not have is noticed", () => {
  expect(named("Type `ralph fly`, or `ralph status --fast`.").flatMap(unknownIn)).toEqual([
    "ralph fly: no command called fly",
    "ralph status --fast: no flag --fast",
  ]);
});

test("an example's mark is checked like a page's", () => {
  expect(() => useOf("nowhere in particular", "ralph run")).toThrow("says neither how nor why not");
});
