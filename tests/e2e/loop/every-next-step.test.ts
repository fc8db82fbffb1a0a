/** After each way a run can end, the next step that is printed is typed: it works, and no run has wider rights or bounds. */
import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { reduce } from "../../../src/core/journal/reduce.ts";
import { initialState, type State } from "../../../src/core/journal/state.ts";
import { BROKEN_OFF, STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { splitShellWords } from "../../../src/core/text/shell-words.ts";
import { nextStep } from "../../../src/view/next-step.ts";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

/** An import is no run of the loop: what follows it has no rights to keep. */
const REASONS = (Object.keys(STOP_REASONS) as StopReason[]).filter((reason) => reason !== "import_complete");
/** A gate, so that there is one to accept and to restore. */
const FILES = {
  ".ralph/PROMPT.md": "Do the next task.\n",
  ".ralph/@fix_plan.md": "- [ ] one\n- [ ] two\n",
  ".ralph/.ralphrc": 'TEST_COMMAND="node check.js"\nDONE_POLICY=evidence\nGATE_FILES="check.js"\n',
  "check.js": "process.exit(0);\n",
};
const RIGHTS = ["--permission-mode", "acceptEdits", "--allowed-tools", "Read,Edit,Bash(git *)"];
const TYPED = [...RIGHTS, "--max-iterations", "1"];
const NARROW = "--permission-mode acceptEdits --allowedTools Read Edit Bash(git *)";
/** Instead of the restore that is named beside it; gates.test.ts types it. */
const OTHER_WAY = "ralph gates accept";
/** In one project one after the other, in several at once. */
const PROJECTS = 4;

/** The journal of a run of one iteration, ended in another way. */
function endsBy(at: Project, reason: StopReason): State {
  const end: Partial<RalphEvent> = { stop_reason: reason, exit_code: STOP_REASONS[reason].exit, sentence: "" };
  const events = at.events().map((event) => (event.type === "run_finished" ? { ...event, ...end } : event));
  at.write(
    `.ralph/runs/${at.runs().at(-1)}/events.jsonl`,
    events.map((event) => `${JSON.stringify(event)}\n`).join(""),
  );
  return (events as RalphEvent[]).reduce(reduce, initialState(at.dir));
}

async function typesWhatFollows(at: Project, reason: StopReason): Promise<void> {
  const { started_by, words, project } = endsBy(at, reason);
  // Nothing was asked, so nothing waits for an answer.
  const end = { reason, started_by, words, project, limit_resets_at: null, answered: true };
  const { text, commands } = nextStep(end, Date.now());
  const status = (await at.ralph("status")).stdout.replaceAll(/\s+/g, " ");
  expect(status).toContain(`next ${text}`);
  for (const command of commands.filter((line) => line !== OTHER_WAY)) {
    const [program = "", ...argv] = splitShellWords(command) ?? [];
    const calls = at.calls().length;
    if (program !== "ralph") {
      expect([command, spawnSync(program, argv, { cwd: at.dir, env: at.env }).status]).toEqual([command, 0]);
      continue;
    }
    const { exit, stderr } = await at.ralph(...argv);
    const goesOn = argv[0] === "run";
    expect({ reason, command, exit, stderr: exit === 0 || goesOn ? "" : stderr }).toEqual({
      reason,
      command,
      exit: goesOn ? 4 : 0,
      stderr: "",
    });
    if (!goesOn) continue;
    // An error breaks a run off: its one iteration counts for the run that goes on (product.md "Bounds").
    expect([reason, at.calls().length]).toEqual([reason, calls + (BROKEN_OFF.has(reason) ? 0 : 1)]);
    expect(at.calls().at(-1)?.argv.join(" ")).toContain(NARROW);
  }
}

describe.concurrent("a run that ends", () => {
  const lists = Array.from({ length: PROJECTS }, (_, nth) => REASONS.filter((_, at) => at % PROJECTS === nth));
  test.each(lists.map((list) => [list.join(", "), list] as const))("by %s goes on as it says", async (_, list) => {
    const at = project({ files: FILES, steps: Array.from({ length: 60 }, (_, nth) => works(nth)) });
    await at.ralph("run", ...TYPED);
    for (const reason of list) await typesWhatFollows(at, reason);
  });
});
