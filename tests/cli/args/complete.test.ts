import { describe, expect, test } from "bun:test";
import { complete, type Offers } from "../../../src/cli/args/complete.ts";
import { COMMANDS } from "../../../src/cli/command-table.ts";

const things = {
  drivers: () => ["claude-code", "codex", "mine"],
  runs: () => ["0002-b", "0001-a"],
  modes: () => ["plan", "build"],
};

/** Completes a line with the cursor at its end. */
function at(line: string): Offers {
  const words = line.split(" ");
  return complete(words.slice(0, -1), words.at(-1) ?? "", things);
}

function values(line: string): string[] {
  const offers = at(line);
  return offers.kind === "words" ? offers.words.map(({ value }) => value) : [`:${offers.kind}`];
}

describe("completions", () => {
  test.each([
    ["circ", ["circuit"]],
    ["circuit ", ["status", "reset"]],
    ["circuit re", ["reset"]],
    ["circuit reset ", []],
    ["drivers show ", ["claude-code", "codex", "mine"]],
    ["drivers show co", ["codex"]],
    ["run ", ["plan", "build"]],
    ["run pl", ["plan"]],
    ["run plan ", []],
    ["run --driver ", ["claude-code", "codex", "mine"]],
    ["run --driver codex ", ["plan", "build"]],
    ["run --driver=co", ["--driver=codex"]],
    ["run --on-limit ", ["wait", "stop"]],
    ["run --sandbox=d", ["--sandbox=docker"]],
    // It may stand alone, so the next word is none of its values.
    ["run --sandbox ", ["plan", "build"]],
    ["run --push --worktree ", ["plan", "build"]],
    ["run --worktree plan ", []],
    ["run --output-format=", ["--output-format=json", "--output-format=text"]],
    ["run --max-cost ", []],
    ["run --max-cost=", []],
    ["run -- --dr", []],
    ["--driver ", ["claude-code", "codex", "mine"]],
    ["--driver codex statu", ["status"]],
    ["-p ", [":files"]],
    ["run --prompt=a", [":files"]],
    ["-C ", [":folders"]],
    ["status -C /tmp --js", ["--json"]],
    ["logs ", ["0002-b", "0001-a"]],
    ["analyze ", [":files"]],
    ["analyze a.jsonl b.jsonl ", [":files"]],
    ["completions ", ["bash", "zsh", "fish", "powershell"]],
    ["update --c", ["--check", "--color"]],
    ["no-such-command ", []],
    ["help exit", ["exit-codes"]],
  ])("of `ralph %s` are %j", (line, expected) => expect(values(line)).toEqual(expected));

  test("of `ralph ` alone are all commands", () => expect(values("")).toEqual(Object.keys(COMMANDS)));

  test("of a dash are all flags of the command, with their meaning", () => {
    const offers = at("stop --");
    expect(offers.kind === "words" ? offers.words : []).toContainEqual({
      value: "--now",
      says: "end the agent now, in the middle of its work",
    });
  });
});
