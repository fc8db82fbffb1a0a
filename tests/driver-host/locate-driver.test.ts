import { describe, expect, test } from "bun:test";
import { RalphError } from "../../src/core/errors.ts";
import {
  type DriverFile,
  findDriverFiles,
  isDriverPath,
  locateDriver,
  shadowsBuiltIn,
} from "../../src/driver-host/locate-driver.ts";

const ofProject = (name: string): DriverFile => ({ name, path: `/p/.ralph/drivers/${name}.ts`, place: "project" });
const ofUser = (name: string): DriverFile => ({ name, path: `/u/drivers/${name}.ts`, place: "user" });
const builtIn = ["claude-code", "codex"];

describe("the drivers among the files of a folder", () => {
  test.each<[string, string[], string[]]>([
    [
      "are those with a known extension",
      ["a.ts", "b.js", "c.mjs", "d.sh", "e.md", "f"],
      ["a.ts", "b.js", "c.mjs", "d.sh"],
    ],
    ["exclude type declarations", ["ralph.d.ts", "driver.d.ts"], []],
    ["exclude the helper script beside the drivers of bmalph", ["cursor.sh", "cursor-agent-wrapper.sh"], ["cursor.sh"]],
    ["exclude hidden files", [".a.ts", ".sh"], []],
    ["count once for each name, TypeScript first", ["a.sh", "a.mjs", "a.ts"], ["a.ts"]],
    ["may have dots in their names", ["my.own.ts"], ["my.own.ts"]],
  ])("%s", (_, files, expected) => {
    expect(
      findDriverFiles(files)
        .map(({ file }) => file)
        .sort(),
    ).toEqual(expected.sort());
  });
});

test.each([
  ["codex", false],
  ["my-agent", false],
  ["./a.ts", true],
  ["a.ts", true],
  ["mine.sh", true],
  ["drivers/mine", true],
  ["C:\\drivers\\mine", true],
  ["..", false],
])("isDriverPath(%p) is %p", (word, isPath) => expect(isDriverPath(word)).toBe(isPath));

describe("a word means", () => {
  test.each([
    ["a path, before anything else", "./codex.ts", [ofProject("codex")], { path: "./codex.ts" }],
    ["the project's file", "mine", [ofUser("mine"), ofProject("mine")], { file: ofProject("mine") }],
    ["the user's file", "mine", [ofUser("mine")], { file: ofUser("mine") }],
    ["the user's file, before a built-in", "codex", [ofUser("codex")], { file: ofUser("codex") }],
    ["a built-in, whatever the project has", "codex", [ofProject("codex")], { builtIn: "codex" }],
    ["a built-in in any case", "Codex", [], { builtIn: "codex" }],
    ["Claude Code, by its program's name", "Claude", [], { builtIn: "claude-code" }],
    ["a user's file of that name, before Claude Code", "claude", [ofUser("claude")], { file: ofUser("claude") }],
  ])("%s", (_, wanted, files, expected) => {
    expect(locateDriver(wanted, { files, builtIn })).toEqual(expected);
  });

  test.each(["mime", "..", "", "--driver", "Code X"])(
    "nothing for %p, and the error lists every known driver",
    (wanted) => {
      const find = () => locateDriver(wanted, { files: [ofProject("mine"), ofProject("codex")], builtIn });
      expect(find).toThrow(RalphError);
      try {
        find();
      } catch (error) {
        expect((error as RalphError).hint).toContain("Drivers: claude-code, codex, mine.");
      }
    },
  );
});

test("only a project's file can shadow a built-in driver", () => {
  expect([
    shadowsBuiltIn(ofProject("codex"), builtIn),
    shadowsBuiltIn(ofUser("codex"), builtIn),
    shadowsBuiltIn(ofProject("x"), builtIn),
  ]).toEqual([true, false, false]);
});
