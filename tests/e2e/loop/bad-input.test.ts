import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { works } from "../support/answers.ts";
import { cleanUp, type Ended, lives, type Project, project, wholeLines } from "../support/harness.ts";

afterAll(cleanUp);

const ONE = ["--max-iterations", "1"];
const PROMPT = { ".ralph/PROMPT.md": "Do the next task.\n" };

/** Names of files that ralph would have written. */
function written(at: Project): string[] {
  const own = Object.keys(PROMPT).map((name) => name.split("/")[1]);
  return readdirSync(at.path(".ralph")).filter((name) => ![...own, ".ralphrc", "@fix_plan.md"].includes(name));
}

/** Expects one message with a way out, and no stack trace. */
function saysOnce({ stderr }: Ended, ...parts: string[]): void {
  for (const part of parts) expect(stderr).toContain(part);
  expect(stderr.match(/^ralph: /gm)).toHaveLength(1);
  expect(stderr).not.toMatch(/^\s+at |\bundefined\b|\[object/m);
}

function journalOf(at: Project): string {
  return at.path(join(".ralph/runs", at.runs().at(-1) ?? "", "events.jsonl"));
}

async function worked(): Promise<Project> {
  const at = project({ steps: [works(1), works(2), works(3)] });
  expect((await at.ralph(...ONE)).exit).toBe(4);
  return at;
}

test("more workers than a swarm can have are refused with the most", async () => {
  const { exit, stderr } = await project().ralph("swarm", "1000");
  expect([exit, stderr]).toEqual([2, 'ralph: N must be a whole number from 1 to 64, not "1000".\n']);
});

describe("the start is refused and nothing is written for", () => {
  const RC = ".ralph/.ralphrc";
  test.concurrent.each([
    ["a missing prompt", { ".ralph/@fix_plan.md": "- [ ] one\n" }, [], 7, ["PROMPT.md is missing", "--prompt"]],
    ["an empty prompt", { ".ralph/PROMPT.md": " \n\t\n" }, [], 7, ["PROMPT.md is empty", "--prompt"]],
    ["a prompt in UTF-16", { ".ralph/PROMPT.md": "D\0o\0" }, [], 7, ["PROMPT.md is not UTF-8 text", "Save it"]],
    ["a plan in UTF-16", { ...PROMPT, ".ralph/@fix_plan.md": "-\0 \0" }, [], 7, ["@fix_plan.md is not UTF-8 text"]],
    ["a mode without a prompt", PROMPT, ["plan"], 7, ["PROMPT-plan.md"]],
    ["a task in the place of a mode", PROMPT, ["Mend it"], 7, ["PROMPT-Mend it.md", 'ralph "Fix the failing tests"']],
    [
      "the value of a flag that may stand alone",
      PROMPT,
      ["--push", "origin"],
      7,
      ["PROMPT-origin.md", "--push=origin"],
    ],
    ["a list for several workers, with one", PROMPT, ["--tasks", "x.md"], 2, ["--tasks", "--shard", "ralph swarm"]],
    ["a hub of several workers, with one", PROMPT, ["--hub", "up"], 2, ["--hub", "--shard"]],
    ["a task without words", PROMPT, ["--task", " \n "], 2, ["The value of --task is empty."]],
    ["a named prompt that is missing", PROMPT, ["-p", "no.md"], 7, ["no.md is missing", "Name another with --prompt"]],
    ["a named prompt that is empty", { ...PROMPT, "x.md": "" }, ["-p", "x.md"], 7, ["x.md is empty", "--prompt"]],
    ["a mode that is empty", PROMPT, [""], 2, ["MODE is empty"]],
    ["a prompt that is a folder", { ".ralph/PROMPT.md/x": "" }, [], 7, ["PROMPT.md"]],
    ["an agent that is not there", { ...PROMPT, [RC]: "CLAUDE_CODE_CMD=nope\n" }, [], 7, ['"nope"', "npm install"]],
    [
      "an open quote in the agent's command",
      { ...PROMPT, [RC]: `\nCLAUDE_CODE_CMD='claude "open'\n` },
      [],
      2,
      ['.ralphrc:2: CLAUDE_CODE_CMD="claude \\"open" is not allowed', "each quote closed"],
    ],
    [
      "an unknown driver of the settings",
      { ...PROMPT, [RC]: "\nPLATFORM_DRIVER=codx\n" },
      [],
      2,
      ['.ralph/.ralphrc:2: There is no driver called "codx". Did you mean codex?'],
    ],
    [
      "a driver file of the settings that is missing",
      { ...PROMPT, [RC]: "\nPLATFORM_DRIVER=./no.ts\n" },
      [],
      2,
      [".ralph/.ralphrc:2: There is no driver file ./no.ts."],
    ],
    [
      "an unknown reviewer of the settings",
      { ...PROMPT, [RC]: "\nREVIEW_ON_DONE=1\nREVIEW_DRIVER=codx\n" },
      [],
      2,
      ['.ralph/.ralphrc:3: There is no driver called "codx".'],
    ],
    [
      "a prompt of the settings that is missing",
      { ...PROMPT, [RC]: "\nPROMPT_FILE=no.md\n" },
      [],
      7,
      [".ralph/.ralphrc:2: The prompt ", "no.md is missing"],
    ],
    [
      "a prompt of the settings that is empty",
      { ...PROMPT, "no.md": " ", [RC]: "\nPROMPT_FILE=no.md\n" },
      [],
      7,
      [".ralph/.ralphrc:2: The prompt ", "no.md is empty"],
    ],
    ["an unknown driver", PROMPT, ["--driver", "nope"], 2, ["nope", "claude-code"]],
    [
      "a bad value",
      { ...PROMPT, [RC]: "# one\nMAX_CALLS_PER_HOUR=many\n" },
      [],
      2,
      [".ralphrc:2", "MAX_CALLS_PER_HOUR"],
    ],
    ["shell code in .ralphrc", { ...PROMPT, [RC]: "X=$(touch pwned)\n" }, [], 2, [".ralphrc:1"]],
    ["an open quote in .ralphrc", { ...PROMPT, [RC]: '\nPROJECT_NAME="a\n' }, [], 2, [".ralphrc:2"]],
    ["a value that no flag takes", PROMPT, ["-c", "0"], 2, ["-c"]],
    ["an unknown flag", PROMPT, ["--max-iteration", "3"], 2, ["--max-iterations"]],
  ] as const)("%s", async (_, files, flags, code, parts) => {
    const at = project({ files: { ...files }, steps: [works(1)] });
    const ended = await at.ralph("run", ...flags);
    expect(ended.exit).toBe(code);
    saysOnce(ended, ...parts);
    expect({ written: written(at), calls: at.calls(), pwned: at.has("pwned") }).toEqual({
      written: [],
      calls: [],
      pwned: false,
    });
  });

  test.concurrent.each([
    ["that does not exist", "nothing.json", ["nothing.json is missing"]],
    ["that is not JSON", "cut.json", ["cut.json:3 is not a demo script"]],
    [
      "with an unknown field",
      "field.json",
      ["field.json:2 is not a demo script: iterations.0.txt: there is no such field"],
    ],
  ])("a demo script %s", async (_, file, parts) => {
    const scripts = {
      "cut.json": '{"iterations": [\n  {"text": "x"}\n',
      "field.json": '{"iterations": [\n{"txt": "x"}]}',
    };
    const at = project({ files: { ...PROMPT, ...scripts }, env: { RALPH_DEMO_SCRIPT: file } });
    const ended = await at.ralph("run", "--driver", "demo");
    expect(ended.exit).toBe(2);
    saysOnce(ended, ...parts, "RALPH_DEMO_SCRIPT");
    expect(written(at)).toEqual([]);
  });

  test.concurrent("an unreadable .ralphrc (here: a folder)", async () => {
    const at = project({ files: { ...PROMPT, ".ralph/.ralphrc/x": "" }, steps: [works(1)] });
    const ended = await at.ralph();
    expect(ended.exit).toBe(2);
    saysOnce(ended, ".ralphrc");
  });

  test.concurrent("-C with a missing folder, and with a file", async () => {
    const at = project();
    for (const dir of ["nowhere", "src.txt"]) {
      const ended = await at.ralph("run", "-C", dir);
      expect(ended.exit).toBe(7);
      saysOnce(ended, dir, "-C");
    }
  });
});

test.each([
  ["prompt", { ".ralph/PROMPT.md": "D\0o\0" }],
  ["plan", { ...PROMPT, ".ralph/@fix_plan.md": "-\0 \0" }],
])("doctor says of a %s in UTF-16 what a run says of it", async (name, files) => {
  const at = project({ files });
  const { results } = JSON.parse((await at.ralph("doctor", "--json")).stdout);
  const { stderr } = await at.ralph();
  const found = results.find((check: { label: string }) => check.label === name);
  expect(found).toMatchObject({ passed: false, required: true, hint: "Save it as UTF-8." });
  expect(stderr).toContain(found.detail);
});

describe("a .ralph that is not a folder of this project is refused", () => {
  test.concurrent("a file", async () => {
    const at = project({ files: { ".ralph": "hello\n" }, steps: [works(1)] });
    for (const argv of [
      ["run"],
      ["run", "--task", "x y"],
      ["status"],
      ["prompt"],
      ["logs"],
      ["circuit", "reset"],
      ["circuit", "status"],
    ]) {
      const ended = await at.ralph(...argv);
      expect([argv, ended.exit]).toEqual([argv, 7]);
      saysOnce(ended, ".ralph");
    }
    expect(at.read(".ralph")).toBe("hello\n");
  });

  test.concurrent.skipIf(process.platform === "win32")("a link that leads outside", async () => {
    const at = project({ files: {}, steps: [works(1)] });
    const outside = join(at.dir, "..", "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "PROMPT.md"), "Do it.\n");
    symlinkSync(outside, at.path(".ralph"));
    for (const argv of [["run"], ["status"], ["session", "reset"], ["session", "status"]]) {
      const ended = await at.ralph(...argv);
      expect([argv, ended.exit]).toEqual([argv, 7]);
      saysOnce(ended, "outside");
    }
    expect(readdirSync(outside)).toEqual(["PROMPT.md"]);
  });

  test.concurrent.skipIf(process.platform === "win32")("a link that leads nowhere", async () => {
    const at = project({ files: {}, steps: [works(1)] });
    symlinkSync(join(at.dir, "..", "gone"), at.path(".ralph"));
    const ended = await at.ralph("run", "--task", "x y");
    expect(ended.exit).toBe(7);
    saysOnce(ended, ".ralph");
  });
});

describe("a damaged journal", () => {
  test.concurrent("with an unreadable line is set aside, and the run goes on with the rest", async () => {
    const at = await worked();
    const journal = journalOf(at);
    const lines = wholeLines(journal);
    const damaged = `${lines.toSpliced(3, 1, "{not json").join("\n")}\n`;
    writeFileSync(journal, damaged);
    expect((await at.ralph("status")).exit).toBe(0);
    expect((await at.ralph(...ONE)).exit).toBe(4);
    const folder = at.path(join(".ralph/runs", at.runs()[0] ?? ""));
    const [aside = ""] = readdirSync(folder).filter((name) => name.includes("corrupt"));
    expect(readFileSync(join(folder, aside), "utf8")).toBe(damaged);
    expect(at.events(1).length).toBe(lines.length - 1);
    const note = at.events(2).find((event) => event.type === "note" && event.text.includes(aside));
    expect(note).toMatchObject({ level: "warn", text: expect.stringContaining(`${aside}:4`) });
    expect(at.calls()[1]?.argv).toContain("--resume");
  });

  test.concurrent("with lines of the wrong shape is read by each command, and the lines are named", async () => {
    const at = await worked();
    const journal = journalOf(at);
    const lines = wholeLines(journal);
    const wrong = ["iteration_finished", "agent_text", "agent_usage", "run_finished"].map((type) =>
      JSON.stringify({ v: 1, seq: 9, at: "2026-03-04T12:00:00.000Z", run: "r", iteration: 1, type }),
    );
    writeFileSync(journal, `${[...lines, ...wrong].join("\n")}\n`);
    const named = `4 lines, of which this is the first, cannot be used: ${journal}:${lines.length + 1}`;
    for (const argv of [
      ["status"],
      ["logs"],
      ["logs", "--json"],
      ["report"],
      ["report", "--json"],
      ["report", "--html", "page.html"],
      ["replay", "--speed", "1000"],
      ["replay", "--what-if", "MAX_ITERATIONS=1"],
      ["runs"],
      ["runs", "--json"],
      ["stats"],
      ["stats", "--json"],
      ["diff"],
    ]) {
      const { exit, stdout, stderr } = await at.ralph(...argv);
      expect({ argv, exit, told: stderr.split(named).length - 1 }).toEqual({ argv, exit: 0, told: 1 });
      expect({ argv, stdout }).toEqual({ argv, stdout: expect.not.stringContaining("cannot be used") });
      if (argv.includes("--json")) for (const line of stdout.trim().split("\n")) JSON.parse(line);
    }
    const doctor = await at.ralph("doctor");
    expect(doctor.exit).toBe(0);
    expect(doctor.stdout.replace(/\s+/g, "")).toContain(`events.jsonl:${lines.length + 1}`);
    expect(await at.ralph("prompt")).toMatchObject({ exit: 0, stderr: expect.not.stringContaining("unexpected") });
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.events(1)).toHaveLength(lines.length);
  });

  test.concurrent("with a torn tail is cut before the first append", async () => {
    const at = await worked();
    const whole = wholeLines(journalOf(at)).length;
    appendFileSync(journalOf(at), '{"v":1,"seq":99,"ty');
    expect((await at.ralph("status")).exit).toBe(0);
    expect((await at.ralph("logs", "--json")).stdout.trimEnd().split("\n").length).toBe(whole);
    expect((await at.ralph("session", "reset")).exit).toBe(0);
    expect(at.events().at(-1)).toMatchObject({ type: "reset", seq: whole + 1 });
    expect((await at.ralph(...ONE)).exit).toBe(4);
  });

  test.concurrent("without events counts as no run", async () => {
    const at = await worked();
    writeFileSync(journalOf(at), "");
    expect((await at.ralph("status")).exit).toBe(0);
    expect((await at.ralph(...ONE)).exit).toBe(4);
  });

  test.concurrent("of a newer ralph is refused by every command and left unchanged", async () => {
    const at = await worked();
    const newer = `${wholeLines(journalOf(at)).at(-1)?.replace('"v":1', '"v":2')}\n`;
    appendFileSync(journalOf(at), newer);
    const before = readFileSync(journalOf(at), "utf8");
    for (const argv of [["run"], ["status"], ["logs"], ["circuit", "reset"], ["prompt"]]) {
      const ended = await at.ralph(...argv);
      expect([argv, ended.exit]).toEqual([argv, 7]);
      saysOnce(ended, "newer ralph", "Update ralph");
    }
    const { results } = JSON.parse((await at.ralph("doctor", "--json")).stdout);
    expect(results).toContainEqual(
      expect.objectContaining({ label: "journal", passed: false, detail: expect.stringContaining("newer ralph") }),
    );
    expect(results.map(({ label }: { label: string }) => label)).toContain("git");
    expect(readFileSync(journalOf(at), "utf8")).toBe(before);
    expect({ runs: at.runs().length, calls: at.calls().length, lock: at.has(".ralph/lock") }).toEqual({
      runs: 1,
      calls: 1,
      lock: false,
    });
  });

  test.concurrent("with a file instead of the runs folder is refused with the file's name", async () => {
    const at = project({ files: { ...PROMPT, ".ralph/runs": "hello\n" }, steps: [works(1)] });
    for (const argv of [["run"], ["status"], ["logs"], ["circuit", "reset"]]) {
      const ended = await at.ralph(...argv);
      expect([argv, ended.exit]).toEqual([argv, 7]);
      saysOnce(ended, "runs");
    }
    expect(at.calls()).toEqual([]);
  });

  test.concurrent("with a folder instead of a state file loses that file, not the run", async () => {
    const at = project({ files: { ...PROMPT, ".ralph/status.json/x": "" }, steps: [works(1)] });
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.events().find(({ type }) => type === "note")).toMatchObject({
      level: "warn",
      text: expect.stringContaining("status.json"),
    });
  });
});

describe("a project without history", () => {
  test.concurrent.each([
    ["no repository", false],
    ["a repository without a commit", "empty"],
  ] as const)("with %s makes progress by changed files", async (_, git) => {
    const at = project({ git, steps: [works(1)] });
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.event("iteration_finished")?.evidence).toMatchObject({
      progress: true,
      files_changed: ["src/1.txt"],
      commits: [],
    });
  });
});

describe.skipIf(process.platform === "win32")("a full disk", () => {
  /** Writes beyond this many blocks of 512 or 1,024 bytes fail, as on a full disk. */
  const limited = (blocks: number) => ["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh"];

  test.concurrent("for the agent's output ends the run with 7, and the journal says so", async () => {
    const at = project({ steps: [{ ...works(1), flood: 3000 }] });
    const ended = await at.startUnder(limited(512), "run", ...ONE).ended;
    expect(ended.exit).toBe(7);
    saysOnce(ended, "1-1.out", "the disk has room");
    const events = at.events();
    expect(events.slice(-3)).toMatchObject([
      { type: "agent_finished", outcome: "stopped" },
      { type: "iteration_interrupted" },
      { type: "run_finished", stop_reason: "environment_error", exit_code: 7 },
    ]);
    expect(at.status()).toMatchObject({ status: "error", exit_reason: "environment_error" });
    expect(lives(at.calls()[0]?.pid ?? 0)).toBe(false);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  test.concurrent("for the journal ends the run with 7 after a whole line, and a later run goes on", async () => {
    const at = project({ steps: [works(1)] });
    const ended = await at.startUnder(limited(20), "run", "-c", "100").ended;
    expect(ended.exit).toBe(7);
    saysOnce(ended, "journal");
    const text = readFileSync(journalOf(at), "utf8");
    expect(text.endsWith("\n")).toBe(true);
    expect(at.has(".ralph/lock")).toBe(false);
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.event("run_recovered")).toBeDefined();
  });

  const canMount = process.getuid?.() === 0 && Bun.spawnSync(["unshare", "-m", "true"]).exitCode === 0;
  test.concurrent.skipIf(!canMount)("for the whole file system ends the run with 7 and names the disk", async () => {
    const at = project({ files: {}, git: false, steps: [{ ...works(1), flood: 2000 }] });
    const inMount = (commands: string) => ["unshare", "-m", "sh", "-c", `${commands}; exec "$@"`, "sh"];
    const tmpfs = `mount -t tmpfs -o size=256k none '${at.dir}' && cd '${at.dir}'`;
    const ended = await at.startUnder(
      inMount(`${tmpfs} && dd if=/dev/zero of=filler bs=1k count=200 2>/dev/null`),
      "x y",
    ).ended;
    expect(ended.exit).toBe(7);
    saysOnce(ended, "disk");
  });

  test.concurrent.skipIf(!canMount)(
    "for a read-only file system is told by doctor, which advises no chmod",
    async () => {
      const at = project();
      const readOnly = `mount --bind '${at.dir}' '${at.dir}' && mount -o remount,bind,ro '${at.dir}' && cd '${at.dir}'`;
      const ended = await at.startUnder(["unshare", "-m", "sh", "-c", `${readOnly}; exec "$@"`, "sh"], "doctor").ended;
      expect(ended.exit).toBe(1);
      const said = ended.stdout.replaceAll(/\s+/g, " ");
      expect(said).toContain("cannot be written: the file system is read-only (EROFS). Work in a writable folder.");
      expect(said).not.toContain("chmod");
    },
  );

  test.concurrent.skipIf(!canMount)(
    "in the middle of a run ends it as disk_full, and with room again it goes on",
    async () => {
      const at = project({ git: false, steps: [{ ...works(1), flood: 2000 }, works(2)] });
      const shell = [
        `cp -a '${at.dir}/.ralph' ../start && mount -t tmpfs -o size=700k none '${at.dir}' && cd '${at.dir}'`,
        "cp -a ../start .ralph && head -c 400k /dev/zero >filler",
        '"$@" >../first 2>&1; echo $? >>../first; cp -a .ralph ../full; rm filler',
        '"$@" >../second 2>&1; echo $? >>../second; cp -a .ralph ../after',
      ].join("\n");
      await at.startUnder(["unshare", "-m", "sh", "-c", shell, "sh"], "run", ...ONE).ended;
      const first = at.read("../first");
      expect(first).toMatch(/The disk is full: .*1-1\.out cannot be written \(\d+ kB are free\)\./);
      expect(first).toEndWith("7\n");
      const [run = ""] = readdirSync(at.path("../full/runs"));
      const journal = at.read(`../full/runs/${run}/events.jsonl`);
      expect(journal).toEndWith("\n");
      expect(JSON.parse(journal.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
        type: "run_finished",
        stop_reason: "disk_full",
        exit_code: 7,
      });
      expect(JSON.parse(at.read("../full/status.json"))).toMatchObject({ exit_reason: "disk_full" });
      expect(at.read("../second")).toEndWith("4\n");
      expect(readdirSync(at.path("../after/runs"))).toHaveLength(2);
    },
  );

  test.concurrent.skipIf(!canMount)(
    "that takes no further line of the journal is its last word all the same",
    async () => {
      // Whatever is written first when nothing fits: the journal, the agent's output, or the state files.
      for (const left of [0, 12, 24, 36, 48, 60]) {
        const fills = `[ -e filler ] || { cat /dev/zero >filler; truncate -s -${left}k filler; }`;
        const at = project({ git: false, steps: [{ ...works(1), shell: fills }] });
        const shell = [
          `cp -a '${at.dir}/.ralph' ../start && mount -t tmpfs -o size=2m none '${at.dir}' && cd '${at.dir}'`,
          'cp -a ../start .ralph; "$@" >../told 2>&1; echo $? >>../told',
          '"$1" status >../status; cp -a .ralph ../full',
        ].join("\n");
        await at.startUnder(["unshare", "-m", "sh", "-c", shell, "sh"], "run", "--max-iterations", "30").ended;
        expect({ left, told: at.read("../told") }).toEqual({
          left,
          told: expect.stringMatching(/^ralph: The disk is full: [\s\S]*\n7\n$/m),
        });
        const status = at.read("../status");
        expect({ left, status }).toEqual({
          left,
          status: expect.stringMatching(/disk_full [\s\S]*^why +The disk is full: [\s\S]*^next +Free some space/m),
        });
        const [run = ""] = readdirSync(at.path("../full/runs"));
        expect(readdirSync(at.path(`../full/runs/${run}`))).not.toContain("room");
        expect(JSON.parse(at.read("../full/status.json"))).toMatchObject({ exit_reason: "disk_full" });
      }
    },
  );

  test.concurrent.skipIf(!canMount)("is not assumed for a read-only project, which is refused with 7", async () => {
    const at = project({ steps: [works(1)] });
    const bind = `mount --bind '${at.dir}' '${at.dir}' && mount -o remount,ro,bind '${at.dir}' && cd '${at.dir}'`;
    const under = (...argv: string[]) =>
      at.startUnder(["unshare", "-m", "sh", "-c", `${bind}; exec "$@"`, "sh"], ...argv).ended;
    for (const argv of [["run"], ["circuit", "reset"]]) {
      const ended = await under(...argv);
      expect(ended.exit).toBe(7);
      saysOnce(ended, at.dir);
    }
    for (const argv of [["status"], ["prompt"], ["run", "--dry-run"]]) expect((await under(...argv)).exit).toBe(0);
    expect(at.calls()).toEqual([]);
    rmSync(at.path("src.txt"));
  });
});
