import { expect, test } from "bun:test";
import { COMMANDS } from "../../../src/cli/args/definitions.ts";
import { route } from "../../../src/cli/args/route.ts";

test.each<[string[], string[], string[], boolean]>([
  [[], ["run"], [], true],
  [["--live", "-c", "5"], ["run"], ["--live", "-c", "5"], true],
  [["--help"], ["run"], ["--help"], true],
  [["run", "plan"], ["run"], ["plan"], false],
  [["-C", "status", "config"], ["config"], ["-C", "status"], false],
  [["--project-dir=x", "config", "--json"], ["config"], ["--project-dir=x", "--json"], false],
  [["-v", "status"], ["status"], ["-v"], false],
  [["circuit"], ["circuit", "status"], [], false],
  [["circuit", "--json"], ["circuit", "status"], ["--json"], false],
  [["circuit", "-C", "reset", "reset"], ["circuit", "reset"], ["-C", "reset"], false],
  [["circuit", "--help"], ["circuit"], ["--help"], false],
  [["drivers"], ["drivers", "list"], [], false],
  [["drivers", "show", "codex"], ["drivers", "show"], ["codex"], false],
  [["help", "circuit", "reset"], ["help"], ["circuit", "reset"], false],
  [["-s"], ["status"], [], false],
  [["--status", "--json"], ["status"], ["--json"], false],
  [["--circuit-status"], ["circuit", "status"], [], false],
  [["-C", "x", "--reset-circuit"], ["circuit", "reset"], ["-C", "x"], false],
  [["--reset-session"], ["session", "reset"], [], false],
  [["Mend the tests"], ["run"], ["--task=Mend the tests"], false],
  [["--live", "Mend the tests", "-c", "5"], ["run"], ["--live", "--task=Mend the tests", "-c", "5"], false],
  [["- mend the tests"], ["run"], ["--task=- mend the tests"], false],
])("%j is %j with %j", (argv, path, rest, noCommand) => {
  expect(route(argv)).toMatchObject({ path, rest, noCommand });
});

test.each([
  [["statsu"], 'ralph has no command "statsu". Did you mean status?'],
  [["frobnicate"], 'ralph has no command "frobnicate".'],
  [["constructor"], 'ralph has no command "constructor".'],
  [[""], 'ralph has no command "".'],
  [["circuit", "rest"], 'ralph circuit has no command "rest". Did you mean reset?'],
])("%j is refused", (argv, message) => {
  expect(() => route(argv)).toThrow(expect.objectContaining({ code: "usage", exit: 2, message }));
});

test("a link with a command's name is that command", () => {
  expect(route(["--json"], "ralph-status")).toMatchObject({ path: ["status"], rest: ["--json"] });
  expect(route([], "RALPH-PLAN.EXE").path).toEqual(["plan"]);
  expect(route(["plan"], "ralph.exe").path).toEqual(["plan"]);
  expect(() => route([], "ralph-nothing")).toThrow('ralph has no command "nothing".');
});

test("the name in a definition is the name of its command", () => {
  for (const [name, { meta, subCommands }] of Object.entries(COMMANDS)) {
    expect(meta.name).toBe(name);
    for (const [sub, definition] of Object.entries(subCommands ?? {}))
      expect(definition.meta.name).toBe(`${name} ${sub}`);
  }
});
