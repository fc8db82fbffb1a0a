import { describe, expect, test } from "bun:test";
import { commandsOf } from "../../../src/cli/args/define.ts";
import { flagTable } from "../../../src/cli/args/flags.ts";
import { COMMANDS } from "../../../src/cli/command-table.ts";
import { helpOn } from "../../../src/cli/commands/help.ts";
import { STOP_REASONS } from "../../../src/core/stop/stop-reasons.ts";

const topics = Object.entries(COMMANDS).flatMap(([name, definition]) => [
  [name],
  ...("subCommands" in definition ? Object.keys(definition.subCommands).map((sub) => [name, sub]) : []),
]);

describe.each([[], ["exit-codes"], ...topics].map((topic) => ({ topic })))("help on $topic", ({ topic }) => {
  const lines = helpOn(COMMANDS, topic).split("\n");

  test("fits into 80 columns", () => expect(lines.filter((line) => line.length > 80)).toEqual([]));
  test("fits into 40 columns, except for text to be typed verbatim", () => {
    const narrow = helpOn(COMMANDS, topic, 40).split("\n");
    expect(narrow.filter((line) => line.length > 40 && !/^(Usage: | {2}(ralph|eval) )/.test(line))).toEqual([]);
  });
  test("has no trailing blanks", () => expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]));
  test("has examples if it is about one command", () =>
    expect(lines.includes("Examples")).toBe(topic.length > 0 && topic[0] !== "exit-codes"));
});

test("a command that takes several names says so", () => {
  const usage = (...topic: string[]) => /^Usage: .*/m.exec(helpOn(COMMANDS, topic))?.[0];
  expect([usage("land"), usage("plan", "after"), usage("config", "set"), usage("diff")]).toEqual([
    "Usage: ralph land [BRANCH...] [FLAGS]",
    "Usage: ralph plan after N [M...] [FLAGS]",
    "Usage: ralph config set NAME=VALUE... [FLAGS]",
    "Usage: ralph diff [RUN|A..B] [FLAGS]",
  ]);
});

test("the help overview names every command", () => {
  const words = helpOn(COMMANDS, []).split(/[\s,]+/);
  expect(Object.keys(COMMANDS).filter((name) => !words.includes(name))).toEqual([]);
});

test("the help overview is as wide in 80 columns, which are compiled in, as in any more", () => {
  for (const columns of [200, undefined]) expect(helpOn(COMMANDS, [], columns)).toBe(helpOn(COMMANDS, [], 80));
});

test("the help overview fits on one screen", () => {
  expect(helpOn(COMMANDS, []).trimEnd().split("\n").length).toBeLessThanOrEqual(43);
  expect(helpOn(COMMANDS, [])).toMatchInlineSnapshot(`
    "ralph runs a coding agent again and again until the work is really done.

      ralph [FLAGS]    the loop in this project: the same as ralph run
      ralph "TEXT"     do TEXT, without any files

    Begin
      setup, enable    make this folder, or a new one, a Ralph project
      import           turn a PRD, issues or a BMAD plan into plan and specs
      demo             the whole loop with a scripted agent: no account, no network
      doctor           every precondition of a run, and how to fix it

    Run and steer
      run, worktrees   run the agent again and again until the work is done
      swarm, fleet     several workers on one plan; their work is landed
      land             put finished branches on the target, each tested first
      inbox, say       what needs you: questions, denials, weaker gates; and answers
      stop, extend     stop the live run after this iteration; extend: allow it more
      pause, resume    hold the live run: no further call until resume

    Watch and look back
      status, ps, ui   the last known state, in ten lines; ps, ui: all projects
      monitor, attach  full-screen dashboard of a live or finished run
      logs, replay     a run as readable lines; replay shows it as it was live
      report, diff     receipts of a run: cost, time, gates, why; diff: its changes
      undo, checkpoints
                       the files as they were before an iteration
      runs, stats      the runs that are kept; prune deletes old ones

    Ask why
      plan             the fix plan, and its tasks: add, done, open, edit, move
      prompt, analyze  exactly what the next iteration would send; analyze: answers
      config, trust    settings: what is in effect and why; change them
      gates            what checks the work, and whether it got weaker
      circuit          look at the circuit breaker, or reset it
      session          look at the agent's session, or forget it
      drivers          drivers found, and what they can do

    This program
      update           replace this program with the newest release
      completions      completions for a shell
      help, man        help on a command, or on exit-codes

    More: ralph COMMAND --help, ralph help exit-codes
    "
  `);
});

test("the help on a command names each flag that it takes, once", () => {
  for (const command of Object.values(COMMANDS).flatMap(commandsOf)) {
    const flags = new Set([...flagTable(command).values()].map(({ name }) => name));
    const help = helpOn(COMMANDS, command.meta.name.split(" "));
    const named = [...help.matchAll(/^ +(?:-\w, )?--(?:\[no-\])?([a-z-]+)/gm)].map(([, name]) => name);
    expect({ of: command.meta.name, named: named.toSorted() }).toEqual({
      of: command.meta.name,
      named: [...flags].toSorted(),
    });
  }
});

test("the help on run groups its flags", () => {
  expect(helpOn(COMMANDS, ["run"])).toMatchInlineSnapshot(`
    "ralph run: run the agent again and again until the work is done

    Usage: ralph run [MODE] [FLAGS]

      MODE                        use PROMPT-MODE.md

    What to do
      -p, --prompt FILE           the prompt (.ralph/PROMPT.md)
          --preamble TEXT         text before the prompt
          --tasks FILE            of several workers: the list of tasks, if not the
                                  plan
          --task TEXT             do this, without any files

    Project
          --worktree[=NAME]       in a git worktree of its own, on branch ralph/NAME

    Agent
          --driver NAME           the agent: the name or file of a driver
                                  (claude-code)
          --model M               model (default: the agent's own)
          --effort E              effort (default: the agent's own)
      -t, --timeout MIN           minutes for one call, or 90s; at most 120 (15)
          --idle-timeout MIN      end a call that is idle for so long; 0 is off (0)
          --output-format FORMAT  json (tools, usage, sessions) or text (json)
          --allowed-tools LIST    tools it may use, as in Read,Bash(git *)
          --permission-mode M     what it may do unasked, such as acceptEdits
                                  (bypassPermissions)
          --on-denial MODE        after a denied tool: continue, halt or threshold
                                  (continue)
          --on-question continue|park
                                  the agent goes on carefully, or parks the task
                                  (continue)
          --sandbox[=ENGINE]      shut the agent in: os, docker or podman (none)
          --trust                 run what the project names without asking

    Bounds
      -c, --calls N               calls in a clock hour; then it waits (100)
          --max-iterations N      stop after so many iterations
          --max-cost USD          stop when so much is spent
          --estimate-cost         count estimates where the agent tells no cost
          --max-tokens N          stop after so many tokens, cached ones too
          --max-time DUR          stop after so long: minutes, or 90s, 8h
          --until HH:MM           stop at this time of day
          --on-limit wait|stop    at the provider's usage limit (wait)

    Session
          --[no-]continue         resume the agent's session in each iteration (yes)
          --session-expiry H      hours after which a session is not resumed (24)

    Circuit breaker
          --auto-reset-circuit    close an open circuit breaker at the start

    Reviews
          --review-on-done N      looks without a gap before done counts; 0 is off
                                  (0)
          --review-driver NAME    who looks (default: another agent, if installed)
          --review-model M        the model that looks (default: its agent's own)

    Git steps
          --commit                commit what each iteration leaves uncommitted
          --rebase-on BRANCH      after each iteration: rebase on it when it moved
          --push[=REMOTE]         push the branch when gates are green
          --tag RULE              tag what is done: patch, minor or a NAME-{n}

    Several workers
          --shard[=I/N]           be one of several workers that share the plan
          --claim TASK            work on this task alone, by its id (swarm)
          --hub REMOTE            where workers meet (default: origin)
          --onto BRANCH           the branch that the work is for

    Output
      -l, --[no-]live             show the agent's work live (on a terminal: yes)
          --dry-run               print what would be sent, and start nothing
      -m, --monitor               with the dashboard; inside tmux with panes
          --[no-]tmux             in three tmux panes: loop, log, dashboard
          --detach                in the background; ralph attach shows it
          --json                  print the lines of the journal

    Ralph
      -n, --notify                desktop notifications
          --[no-]update-check     look for a new version, once a day (yes)
          --[no-]checkpoints      keep the files of each step, for undo (yes)
          --[no-]mask             keep secrets out of journal, logs, reports (yes)

    Every command
      -v, --verbose               say more
      -C, --project-dir DIR       work in this folder
          --[no-]color            colours (also: NO_COLOR)
      -q, --quiet                 print results and errors only
      -h, --help                  this help; -h: in short
          --version               the version

    Examples
      ralph run
          the loop, with .ralph/PROMPT.md
      ralph run plan --max-iterations 5
          five iterations at most of PROMPT-plan.md
      ralph run --driver codex --max-tokens 2000000
          another agent, and a bound
      ralph run --task "Fix the failing tests"
          no files needed

    Defaults stand in brackets. Settings may also stand in .ralph/.ralphrc or in the
    environment: ralph config shows them all.
    "
  `);
});

test("the help on a group names its commands", () => {
  expect(helpOn(COMMANDS, ["drivers"])).toMatchInlineSnapshot(`
    "ralph drivers: drivers found, and what they can do

    Usage: ralph drivers [COMMAND] [FLAGS]

      ralph drivers list          the drivers that ralph finds (default)
      ralph drivers show          one driver: its program, version and capabilities
      ralph drivers models        the models that an agent's CLI names
      ralph drivers test          a live test of one driver: one or two calls

    Agent
          --trust                 run what the project names without asking

    Output
          --json                  print JSON

    Every command
      -v, --verbose               say more
      -C, --project-dir DIR       work in this folder
          --[no-]color            colours (also: NO_COLOR)
      -q, --quiet                 print results and errors only
      -h, --help                  this help; -h: in short
          --version               the version

    Examples
      ralph drivers
          which agents are installed, and what they can do
      ralph drivers show codex --json
          one driver, for programs
      ralph drivers models codex
          what --model can be
      ralph drivers test codex
          found, version, answer, tools, session, resumed
    "
  `);
});

test("help exit-codes lists the codes of the stop reasons, and 2", () => {
  const help = helpOn(COMMANDS, ["exit-codes"]);
  for (const [reason, { exit }] of Object.entries(STOP_REASONS))
    expect(help).toMatch(new RegExp(`^ +${exit}  ${reason} `, "m"));
  expect(help).toMatch(/^ +2 {2}usage, config /m);
});

test.each([
  [["rnu"], 'There is no help on "rnu". Did you mean run?'],
  [["exit-code"], 'There is no help on "exit-code". Did you mean exit-codes?'],
  [["circuit", "rest"], 'There is no help on "circuit rest". Did you mean circuit reset?'],
  [["run", "x"], 'There is no help on "run x".'],
])("help on %j fails with %p", (topic, message) => {
  expect(() => helpOn(COMMANDS, topic)).toThrow(expect.objectContaining({ code: "usage", message }));
});

test.each(topics)("the short help on %s fits a usual screen", (...words: string[]) => {
  expect(helpOn(COMMANDS, words, 80, true).trimEnd().split("\n").length).toBeLessThanOrEqual(24);
});

test.each(Object.entries(COMMANDS).flatMap(([name, one]) => ("subCommands" in one ? [[name, one] as const] : [])))(
  "the short help on %s has each of its commands",
  (name, { subCommands }) => {
    const help = helpOn(COMMANDS, [name], 80, true);
    for (const { meta } of Object.values(subCommands)) expect(help).toContain(`  ralph ${meta.name} `);
  },
);

test("the short help on a command with many flags names them all by purpose", () => {
  expect(`\n${helpOn(COMMANDS, ["run"], 80, true)}`).toMatchInlineSnapshot(`
    "
    ralph run: run the agent again and again until the work is done

    Usage: ralph run [MODE] [FLAGS]

      What to do       --prompt FILE, --preamble TEXT, --tasks FILE, --task TEXT
      Project          --worktree[=NAME]
      Agent            --driver NAME, --model M, --effort E, --timeout MIN,
                       --idle-timeout MIN, --output-format FORMAT, --allowed-tools
                       LIST, --permission-mode M, --on-denial MODE, --on-question
                       continue|park, --sandbox[=ENGINE], --trust
      Bounds           --calls N, --max-iterations N, --max-cost USD,
                       --estimate-cost, --max-tokens N, --max-time DUR, --until
                       HH:MM, --on-limit wait|stop
      Session          --[no-]continue, --session-expiry H
      Circuit breaker  --auto-reset-circuit
      Reviews          --review-on-done N, --review-driver NAME, --review-model M
      Git steps        --commit, --rebase-on BRANCH, --push[=REMOTE], --tag RULE
      Several workers  --shard[=I/N], --claim TASK, --hub REMOTE, --onto BRANCH
      Output           --[no-]live, --dry-run, --monitor, --[no-]tmux, --detach,
                       --json
      Ralph            --notify, --[no-]update-check, --[no-]checkpoints,
                       --[no-]mask

    What each does, those of every command, examples: ralph run --help
    "
  `);
});
