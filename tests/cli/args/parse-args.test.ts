import { describe, expect, test } from "bun:test";
import type { Args, CommandWords } from "../../../src/cli/args/define.ts";
import { parseArgs } from "../../../src/cli/args/parse-args.ts";
import { ANALYZE } from "../../../src/cli/definitions/analyze.ts";
import { CIRCUIT_STATUS } from "../../../src/cli/definitions/circuit.ts";
import { CONFIG_LIST } from "../../../src/cli/definitions/config.ts";
import { REPLAY } from "../../../src/cli/definitions/replay.ts";
import { RUN } from "../../../src/cli/definitions/run.ts";

const WORKTREE_ARGS = {
  shell: { type: "positional", required: false },
  worktree: { type: "string", impliedValue: "new", valueHint: "BRANCH", description: "" },
  tag: { type: "string", impliedValue: "", description: "" },
  kind: { type: "enum", options: ["bash", "zsh"], description: "" },
} as const satisfies Args;

const worktree: CommandWords<typeof WORKTREE_ARGS> = {
  meta: { name: "fork", description: "a command of this test" },
  args: WORKTREE_ARGS,
  settings: [],
  examples: [],
};

describe("parsing flags", () => {
  test.each([
    [["--calls", "5"], "5", "--calls"],
    [["--calls=5"], "5", "--calls"],
    [["-c", "5"], "5", "-c"],
    [["-c=5"], "5", "-c"],
    [["--calls", "5", "-c", "6"], "6", "-c"],
    [["--calls", "-5"], "-5", "--calls"],
    [["--calls", "-"], "-", "--calls"],
    [["--calls=--live"], "--live", "--calls"],
    [["--calls=a=b"], "a=b", "--calls"],
  ])("%j sets the value %p by %s", (argv, text, flag) => {
    const { settings, given } = parseArgs(RUN, argv);
    expect(settings).toEqual({ MAX_CALLS_PER_HOUR: { text, flag } });
    expect(given).toEqual(["calls"]);
  });

  test.each(["--backend", "-B"])("%s is KitStream ralph's word for --driver", (flag) => {
    const { settings, given } = parseArgs(RUN, [flag, "codex"]);
    expect(settings).toEqual({ PLATFORM_DRIVER: { text: "codex", flag } });
    expect(given).toEqual(["driver"]);
  });

  test("a value may begin with a dash and a blank", () => {
    expect(parseArgs(RUN, ["--task", "- fix it"]).args.task).toBe("- fix it");
  });

  test("a flag that may repeat is a list of all its values, empty without it", () => {
    const words = (...argv: string[]) => parseArgs(REPLAY, argv).args["what-if"];
    expect(words("--what-if", "A=1", "3", "--what-if=B=2")).toEqual(["A=1", "B=2"]);
    expect(words()).toEqual([]);
  });

  test("a switch is true, its no- form false, and the last one counts", () => {
    const parsed = (...argv: string[]) => parseArgs(RUN, argv).settings.SESSION_CONTINUITY?.text;
    expect([parsed(), parsed("--continue"), parsed("--no-continue"), parsed("--no-continue", "--continue")]).toEqual([
      undefined,
      "true",
      "false",
      "true",
    ]);
    expect(parseArgs(RUN, ["--no-update-check"]).settings.RALPH_UPDATE_CHECK?.text).toBe("false");
  });

  test("an absent negatable switch is undefined, not false", () => {
    const parsed = (...argv: string[]) => parseArgs(RUN, argv).args;
    expect([parsed().color, parsed("--color").color, parsed("--no-color").color, parsed("--no-live").live]).toEqual([
      undefined,
      true,
      false,
      false,
    ]);
    expect(parsed()["dry-run"]).toBe(false);
  });

  test("an optional value is taken only with =", () => {
    const { args } = parseArgs(worktree, ["--worktree", "zsh"]);
    expect(args).toMatchObject({ worktree: "new", shell: "zsh" });
    expect(parseArgs(worktree, ["--worktree=plan"]).args.worktree).toBe("plan");
    expect(parseArgs(worktree, ["--tag"]).args.tag).toBe("");
    expect(parseArgs(worktree, []).args.worktree).toBeUndefined();
  });

  test("every command accepts -v, which is a setting", () => {
    expect(parseArgs(CIRCUIT_STATUS, ["-v", "-q"])).toMatchObject({
      args: { quiet: true },
      settings: { RALPH_VERBOSE: { text: "true", flag: "-v" } },
    });
  });
});

describe("parsing positionals", () => {
  test("fills them in order, gives the rest to a repeating one, and takes nothing after -- for a flag", () => {
    expect(parseArgs(RUN, ["plan", "-q"]).args.mode).toBe("plan");
    expect(parseArgs(ANALYZE, ["a", "--json", "b", "--", "--json", "-x"]).args.files).toEqual([
      "a",
      "b",
      "--json",
      "-x",
    ]);
  });

  test("ignores missing and wrong ones if help is requested", () => {
    expect(parseArgs(ANALYZE, ["-h"]).args).toMatchObject({ help: true, files: [] });
    expect(parseArgs(RUN, ["plan", "--task", "x", "--help"]).args.help).toBe(true);
  });
});

describe("a word that may be meant as the value of the flag before it", () => {
  test.each([
    [["--task", "x", "--worktree", "login"], `mode "login" and --task exclude each other.`, "--worktree=login"],
    [["plan", "--push", "origin"], '"origin" is one word too many for ralph run.', "--push=origin"],
    [["--sandbox", "podman"], "--sandbox takes its value after a =.", "--sandbox=podman"],
  ])("%j is refused with the spelling that takes it", (argv, message, spelling) => {
    expect(() => parseArgs(RUN, argv)).toThrow(
      expect.objectContaining({ message, hint: expect.stringContaining(spelling) }),
    );
  });

  test("is a mode where there is room for one", () => {
    expect(parseArgs(RUN, ["--worktree", "plan"]).args).toMatchObject({ worktree: "", mode: "plan" });
    expect(parseArgs(RUN, ["--sandbox", "plan"]).args.mode).toBe("plan");
  });
});

describe("parsing refuses, and names the likely intention of,", () => {
  test.each([
    [["--frobnicate"], "There is no flag --frobnicate of `ralph run`."],
    [["--call", "5"], "There is no flag --call of `ralph run`. Did you mean --calls?"],
    [["-calls"], "There is no flag -calls of `ralph run`. Did you mean --calls?"],
    [["--no-contineu"], "There is no flag --no-contineu of `ralph run`. Did you mean --no-continue?"],
    [["--no-dry-run"], "There is no flag --no-dry-run of `ralph run`. Did you mean --dry-run?"],
    [["-x"], "There is no flag -x of `ralph run`."],
    [["build", "-b", "ralph-build"], "There is no flag -b of `ralph run`."],
    [["build", "--no-tag"], "There is no flag --no-tag of `ralph run`."],
    [["build", "-m", "main"], '"main" is one word too many for ralph run.'],
    [["-vq"], "-vq: short flags cannot be bundled."],
    [["--calls"], "--calls needs a value (N)."],
    [["--calls", "--"], "--calls needs a value (N)."],
    [["--calls", "--live"], "--calls needs a value (N), and --live is a flag."],
    [["--allowed-tools", "-n"], "--allowed-tools needs a value (LIST), and -n is a flag."],
    [["--calls="], "--calls needs a value (N), and it is empty."],
    [["--max-cost", ""], "--max-cost needs a value (USD), and it is empty."],
    [["--live=yes"], "--live takes no value."],
    [["plan", "build"], '"build" is one word too many for ralph run.'],
    [["plan", "--prompt", "x.md"], `mode "plan" and --prompt exclude each other.`],
    [["--task", "x", "-p", "x.md"], "--prompt and --task exclude each other."],
    [["--monitor", "--json"], "--json and --monitor exclude each other."],
    [["--json", "--detach"], "--json and --detach exclude each other."],
    [["--tmux", "--json"], "--json and --tmux exclude each other."],
    [["--tmux", "--detach"], "--detach and --tmux exclude each other."],
    [[""], "MODE is empty."],
    [["--sandbox", "docker"], "--sandbox takes its value after a =."],
    [["--task", "x", "--sandbox", "none"], "--sandbox takes its value after a =."],
  ])("%j", (argv, message) => {
    expect(() => parseArgs(RUN, argv)).toThrow(expect.objectContaining({ code: "usage", exit: 2, message }));
  });

  test("a missing positional, and a value outside its options", () => {
    expect(() => parseArgs(ANALYZE, [])).toThrow("FILE... is missing.");
    expect(() => parseArgs(worktree, ["--kind", "zhs"])).toThrow(
      "--kind zhs is not allowed: it must be one of bash, zsh. Did you mean zsh?",
    );
    expect(parseArgs(worktree, ["--kind", "zsh"]).args.kind).toBe("zsh");
  });
});

test("config accepts each flag of run that is a setting, and none that would change nothing there", () => {
  expect(parseArgs(CONFIG_LIST, ["--json", "--preamble", "x", "-c", "5"]).given).toEqual(["json", "preamble", "calls"]);
  for (const flag of ["--live", "--dry-run", "--task=x"])
    expect(() => parseArgs(CONFIG_LIST, [flag])).toThrow(`There is no flag ${flag.replace("=x", "")}`);
});
