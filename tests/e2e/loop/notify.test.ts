/** A misbehaving NOTIFY_COMMAND: the loop neither waits for it nor fails with it. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, works } from "../support/answers.ts";
import { cleanUp, lives, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

function told(command: string): Project {
  const files = {
    ".ralph/PROMPT.md": "Do the next task.\n",
    ".ralph/.ralphrc": `NOTIFY_COMMAND='${command}'\nMAX_ITERATIONS=2\n`,
  };
  return project({ files, steps: [works(1), works(2)] });
}

describe.skipIf(process.platform === "win32").concurrent("a NOTIFY_COMMAND", () => {
  test("that hangs and ignores all signals but SIGKILL is ended soon after the run", async () => {
    const at = told(`trap "" TERM HUP INT; echo $$ > .ralph/pid; while :; do sleep 1; done`);
    const { exit, stderr } = await at.ralph("run", "--notify");
    expect(exit).toBe(4);
    expect(stderr).toContain("NOTIFY_COMMAND failed (ended after 5 s): what it was to tell may not have arrived.");
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations", calls: 2 });
    const pid = Number(at.read(".ralph/pid"));
    await until("its end", () => !lives(pid));
  });

  test.each([
    ["that floods", "head -c 300000000 /dev/zero", null],
    ["that does not exist", "/no/such/program", "exit code 127"],
    ["that does not read its input", "exec 0<&-", null],
    ["that fails", "exit 70", "exit code 70"],
  ])("%s does not affect the run; its failure is told, though the run is over", async (_, command, how) => {
    const at = told(command);
    const { exit, stderr } = await at.ralph("run", "--notify");
    const failures = stderr.match(/(?<=NOTIFY_COMMAND failed \()[^)]*/g);
    expect({ exit, failures }).toEqual({ exit: 4, failures: how === null ? null : [how] });
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "max_iterations", calls: 2 });
  });

  test.each([
    ["ends with another exit code than 0", "exit 70", "exit code 70"],
    ["is killed", "kill -9 $$", "SIGKILL"],
  ])("that %s while the run lives is told once: else its user waits for nothing", async (_, command, how) => {
    const at = told(command);
    const asks = { stdout: answer({ text: "Which database should I use, SQLite or Postgres?" }) };
    const denied = { stdout: answer({ denied: "git push" }) };
    at.script([asks, denied, { ...works(3), waits_for: ".ralph/go" }]);
    const live = at.start("run", "--notify", "--max-iterations", "3");
    const notes = () => at.events().flatMap((event) => (event.type === "note" ? [event.text] : []));
    await until("the note", () => notes().some((text) => text.includes("NOTIFY_COMMAND")));
    at.write(".ralph/go", "");
    expect((await live.ended).exit).toBe(4);
    expect(notes().filter((text) => text.includes("NOTIFY_COMMAND"))).toEqual([
      `NOTIFY_COMMAND failed (${how}): what it was to tell may not have arrived. Further failures are not told.`,
    ]);
  });

  test("gets foreign text only in a JSON document, never as an argument", async () => {
    const at = told("cat > .ralph/told.part && mv .ralph/told.part .ralph/told");
    const name = "x'$(touch taken)`touch taken`\"; touch taken";
    at.write(
      ".ralph/.ralphrc",
      `${at.read(".ralph/.ralphrc")}PROJECT_NAME="x'\\$(touch taken)\\\`touch taken\\\`\\"; touch taken"\n`,
    );
    expect((await at.ralph("run", "--notify")).exit).toBe(4);
    await until("the document", () => at.has(".ralph/told"));
    const lines = at.read(".ralph/told").trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      kind: "ended",
      title: `${name}: stopped`,
      project_name: name,
      iterations: 2,
      event: { type: "run_finished", stop_reason: "max_iterations" },
    });
    expect(at.has("taken")).toBe(false);
  });
});
