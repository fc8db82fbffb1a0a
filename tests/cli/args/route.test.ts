import { expect, test } from "bun:test";
import { route } from "../../../src/cli/args/route.ts";
import { COMMANDS } from "../../../src/cli/command-table.ts";

test.each<[argv: string[], named: string[], rest: string[]]>([
  [["run", "plan"], ["run"], ["plan"]],
  [["-C", "status", "doctor"], ["doctor"], ["-C", "status"]],
  [["--project-dir=x", "doctor", "--json"], ["doctor"], ["--project-dir=x", "--json"]],
  [["-v", "status"], ["status"], ["-v"]],
  [
    ["circuit", "-C", "reset", "reset"],
    ["circuit", "reset"],
    ["-C", "reset"],
  ],
  [
    ["runs", "--keep", "20", "prune"],
    ["runs", "prune"],
    ["--keep", "20"],
  ],
  [["drivers", "show", "codex"], ["drivers", "show"], ["codex"]],
  [["help", "circuit", "reset"], ["help"], ["circuit", "reset"]],
  [["-s"], ["status"], []],
  [["--status", "--json"], ["status"], ["--json"]],
  [["--circuit-status"], ["circuit", "status"], []],
  [
    ["-C", "x", "--reset-circuit"],
    ["circuit", "reset"],
    ["-C", "x"],
  ],
  [["--reset-session"], ["session", "reset"], []],
  [["Mend the tests"], ["run"], ["--task=Mend the tests"]],
  [["--live", "Mend the tests", "-c", "5"], ["run"], ["--live", "--task=Mend the tests", "-c", "5"]],
  [["- mend the tests"], ["run"], ["--task=- mend the tests"]],
])("%j is routed to %j with %j", (argv, named, rest) => {
  expect(route(argv)).toEqual({ path: named, named, rest });
});

test("--rollback goes back, or lists what can be gone back to", () => {
  expect(route(["--rollback", "3"])).toEqual({ path: ["undo"], named: ["undo"], rest: ["3"] });
  expect(route(["--rollback"])).toMatchObject({ path: ["checkpoints", "list"], rest: [] });
  expect(route(["--backup", "-c", "5"])).toMatchObject({ path: ["run"], rest: ["--backup", "-c", "5"] });
});

test.each<[argv: string[], named: string[], path: string[], rest: string[]]>([
  [[], [], ["run"], []],
  [["--live", "-c", "5"], [], ["run"], ["--live", "-c", "5"]],
  [["--help"], [], ["run"], ["--help"]],
  [["--", "status"], [], ["run"], ["--", "status"]],
  [["circuit"], ["circuit"], ["circuit", "status"], []],
  [["circuit", "--json"], ["circuit"], ["circuit", "status"], ["--json"]],
  [["circuit", "--help"], ["circuit"], ["circuit", "status"], ["--help"]],
  [["drivers"], ["drivers"], ["drivers", "list"], []],
  [["plan", "done", "3"], ["plan", "done"], ["plan", "done"], ["3"]],
  [["plan", "TODO.md", "--json"], ["plan"], ["plan", "show"], ["TODO.md", "--json"]],
])("%j names %j, and is routed to %j with %j", (argv, named, path, rest) => {
  expect(route(argv)).toEqual({ path, named, rest });
});

test.each([
  [["statsu"], 'There is no command "statsu". Did you mean status?'],
  [["init"], 'There is no command "init". Did you mean setup?'],
  [["frobnicate"], 'There is no command "frobnicate".'],
  [["constructor"], 'There is no command "constructor".'],
  [[""], 'There is no command "".'],
  [["circuit", "rest"], '`ralph circuit` has no command "rest". Did you mean reset?'],
])("routing %j fails with %p", (argv, message) => {
  expect(() => route(argv)).toThrow(expect.objectContaining({ code: "usage", exit: 2, message }));
});

test.each<[argv: string[], path: string[], rest: string[]]>([
  [["build"], ["run"], ["build"]],
  [["-c", "5", "build", "--live"], ["run"], ["-c", "5", "build", "--live"]],
  [["plan"], ["plan", "show"], []],
])("in a project with the modes plan and build, %j is routed to %j with %j", (argv, path, rest) => {
  const isMode = (word: string) => ["plan", "build"].includes(word);
  expect(route(argv, "ralph", isMode)).toEqual({ path, named: path.slice(0, 1), rest });
  expect(() => route(["biuld"], "ralph", isMode)).toThrow('There is no command "biuld".');
});

test.each([[["--max-iteration", "5"]], [["-b", "main"]], [["--live", "--modle", "opus", "--json"]]])(
  "a flag that nobody knows, before a word that is no command, is what is wrong with %j: run says so",
  (argv) => {
    expect(route(argv)).toEqual({ path: ["run"], named: [], rest: argv });
  },
);

test.each<[argv: string[], path: string[], rest: string[]]>([
  [
    ["ui", "--prot", "4000"],
    ["ui", "open"],
    ["--prot", "4000"],
  ],
  [
    ["-q", "circuit", "--prot", "x"],
    ["circuit", "status"],
    ["-q", "--prot", "x"],
  ],
])("and so does the default of a command that has several: %j", (argv, path, rest) => {
  expect(route(argv)).toEqual({ path, named: path.slice(0, 1), rest });
});

test("a link named ralph-COMMAND runs that command", () => {
  expect(route(["--json"], "ralph-status")).toMatchObject({ path: ["status"], rest: ["--json"] });
  expect(route([], "RALPH-PLAN.EXE").path).toEqual(["plan", "show"]);
  expect(route(["plan"], "ralph.exe").path).toEqual(["plan", "show"]);
  expect(() => route([], "ralph-nothing")).toThrow('There is no command "nothing".');
});

test("each definition has the name of its command", () => {
  for (const [name, definition] of Object.entries(COMMANDS)) {
    expect(definition.meta.name).toBe(name);
    const below = "subCommands" in definition ? Object.entries(definition.subCommands) : [];
    for (const [sub, command] of below) expect(command.meta.name).toBe(`${name} ${sub}`);
  }
});

test("the word version is the flag", () => {
  expect(route(["version"])).toEqual({ path: ["run"], named: [], rest: ["--version"] });
  expect(route(["-C", "dir", "version"])).toEqual({ path: ["run"], named: [], rest: ["-C", "dir", "--version"] });
});
