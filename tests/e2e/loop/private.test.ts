/** What other users of the machine may read of a run, and what its records keep of secrets. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Step } from "../../agents/scripted.ts";
import { answer, SESSION, works } from "../support/answers.ts";
import { cleanUp, type Project, type ProjectOptions, project } from "../support/harness.ts";

afterAll(cleanUp);

const hasPermissions = process.platform !== "win32";
/** What people share through git. */
const SHARED = ["", ".gitignore", ".ralphrc", "@fix_plan.md", "PROMPT.md"];

/** Everything below a folder, and the folder, as paths from it. */
function all(folder: string, at = folder): string[] {
  const below = lstatSync(at).isDirectory() ? readdirSync(at).flatMap((name) => all(folder, join(at, name))) : [];
  return [relative(folder, at).replaceAll("\\", "/"), ...below];
}

/** What is below `.ralph` and not shared, with its permissions where others have any. */
function openToOthers(at: Project): string[] {
  const ralph = at.path(".ralph");
  return all(ralph)
    .filter((name) => !SHARED.includes(name))
    .map((name) => [name, (lstatSync(join(ralph, name)).mode & 0o777).toString(8)] as const)
    .filter(([, mode]) => !mode.endsWith("00"))
    .map(([name, mode]) => `${name} ${mode}`);
}

const umask = (mask: string) => ["sh", "-c", `umask ${mask}; exec "$@"`, "sh"];
const GATED = { QUALITY_GATES: "true", DONE_POLICY: "evidence" };

test.concurrent.skipIf(!hasPermissions).each(["000", "022", "077"])(
  "with umask %s nobody else may read what a run writes below .ralph",
  async (mask) => {
    const at = project({ steps: [works(1, { denied: "rm x" }), works(2)], env: GATED });
    const { exit } = await at.startUnder(umask(mask), "--max-iterations", "2").ended;
    expect(exit).toBe(4);
    expect(all(at.path(".ralph")).length).toBeGreaterThan(20);
    expect(openToOthers(at)).toEqual([]);
  },
);

test.concurrent.skipIf(!hasPermissions)(
  "the plan and the prompt keep the permissions that the umask gives",
  async () => {
    const at = project({ steps: [works(1)] });
    await at.startUnder(umask("002"), "--max-iterations", "1").ended;
    const mode = (name: string) => (statSync(at.path(name)).mode & 0o777).toString(8);
    expect([mode(".ralph/.gitignore"), mode(".ralph/PROMPT.md")]).toEqual(["664", "644"]);
  },
);

test.concurrent.skipIf(!hasPermissions)("what an older ralph left open is closed by the next run", async () => {
  const at = project({ steps: [works(1), works(2)] });
  await at.ralph("--max-iterations", "1");
  const ralph = at.path(".ralph");
  for (const name of all(ralph))
    chmodSync(join(ralph, name), lstatSync(join(ralph, name)).isDirectory() ? 0o755 : 0o644);
  await at.ralph("--max-iterations", "1");
  const reachable = openToOthers(at).filter((row) => !row.includes("/"));
  expect(reachable).toEqual([]);
});

test.concurrent.skipIf(!hasPermissions)(
  "a page of a report is private, and one that was published stays so",
  async () => {
    const at = project({ steps: [works(1)] });
    await at.startUnder(umask("000"), "--max-iterations", "1").ended;
    writeFileSync(at.path("published.html"), "");
    chmodSync(at.path("published.html"), 0o644);
    for (const name of ["new.html", "published.html"])
      await at.startUnder(umask("000"), "report", "--html", name).ended;
    const mode = (name: string) => (statSync(at.path(name)).mode & 0o777).toString(8);
    expect([mode("new.html"), mode("published.html")]).toEqual(["600", "644"]);
  },
);

test.concurrent.skipIf(!hasPermissions)("the user's own folders of ralph are private", async () => {
  const home = (at: Project) => at.env.HOME ?? "";
  const at = project({ steps: [works(1, { cost: 0.25 })] });
  mkdirSync(join(home(at), ".local/state/ralph"), { recursive: true });
  await at.startUnder(umask("000"), "--max-iterations", "1").ended;
  const spending = join(home(at), ".local/state/ralph/spending");
  expect(all(spending).map((name) => (lstatSync(join(spending, name)).mode & 0o077).toString(8))).toEqual(["0", "0"]);
});

/** A word of the first answer, and what every user of the machine can read while the second call runs. */
const WORD = "marmalade7313";
const answersThenLooks = [
  works(1, { text: `The ${WORD} is in place.`, recommendation: WORD }),
  { ...works(2), shell: "ps -eo args > seen.txt" },
];

test.concurrent.skipIf(!hasPermissions)("the list of processes shows no word of an answer or the plan", async () => {
  const files = { ".ralph/PROMPT.md": "Do the next task.\n", ".ralph/@fix_plan.md": "- [ ] quincequince\n- [ ] b\n" };
  const at = project({ files, steps: answersThenLooks });
  await at.ralph("--max-iterations", "2");
  const seen = at.read("seen.txt");
  expect(seen).toMatch(/--resume \S+ -p$/m);
  expect(at.calls()[1]?.stdin).toContain("Iteration 2 of an unattended loop");
  expect(seen).not.toContain(WORD);
  expect(seen).not.toContain("quincequince");
});

test.concurrent.skipIf(!hasPermissions)(
  "an agent without a conversation is told its last answer on stdin",
  async () => {
    const at = project({ steps: answersThenLooks });
    await at.ralph("--max-iterations", "2", "--no-continue");
    const seen = at.read("seen.txt");
    expect(seen).toContain("--append-system-prompt Iteration 2 of an unattended loop");
    expect(seen).not.toContain(WORD);
    expect(at.calls()[1]?.stdin).toContain(`Last time: The ${WORD} is in place.`);
  },
);

/** As bmalph's drivers do it: what stands in the prompt's file becomes an argument. */
const ARGUMENT_DRIVER = `driver_name() { echo own; }
driver_display_name() { echo "Own"; }
driver_cli_binary() { echo claude; }
driver_valid_tools() { VALID_TOOL_PATTERNS=(); }
driver_supports_sessions() { return 1; }
driver_build_command() {
  CLAUDE_CMD_ARGS=(claude --output-format json --append-system-prompt "$2" -p "$(cat "$1")")
}
`;

test.concurrent.skipIf(!hasPermissions)(
  "a driver that passes the prompt as an argument passes the path of a private file where it holds an answer",
  async () => {
    const at = project({ steps: answersThenLooks });
    at.write(".ralph/drivers/own.sh", ARGUMENT_DRIVER);
    const { stderr, exit } = await at.ralph("--max-iterations", "2", "--driver", "own", "--trust-driver");
    expect([exit, stderr]).toEqual([4, expect.any(String)]);
    expect(at.read("seen.txt")).not.toContain(WORD);
    const [first, second] = at.calls();
    expect(first?.argv).toContain("Do the next task.");
    expect(second?.argv.join(" ")).toContain("Read the file .ralph/.prompt_sent.md to its end");
    expect(at.read(".ralph/.prompt_sent.md")).toContain(`Last time: The ${WORD} is in place.`);
    expect(openToOthers(at).filter((name) => !name.startsWith("drivers"))).toEqual([]);
  },
);

const SECRET = "zebra-7-fjord";
const TOKEN = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const LEAK = /zebra-7|fjord|ghp_a/;
const stream = (...events: object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const toolUse = {
  type: "assistant",
  session_id: SESSION,
  message: {
    id: "m0",
    role: "assistant",
    content: [
      { type: "tool_use", id: "t0", name: "Bash", input: { command: `curl -H ${TOKEN} https://me:${SECRET}@host` } },
    ],
  },
};
const toolResult = {
  type: "user",
  session_id: SESSION,
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t0", content: `A_TOKEN=${SECRET}\nTOKEN=${TOKEN}` }],
  },
};
/** An answer that has secrets wherever an agent can put them. */
const leaks = (nth: number): Step => ({
  files: { [`src/${nth}.txt`]: `${nth}\n` },
  stdout:
    stream(toolUse, toolResult) +
    answer({ text: `I used ${SECRET} and ${TOKEN}.`, recommendation: SECRET, denied: `echo ${SECRET}` }),
  stderr: `warning: ${TOKEN}\nfatal: ${SECRET}\n`,
});
const leaky = (more: ProjectOptions = {}) =>
  project({ steps: [leaks(1), leaks(2)], ...more, env: { A_TOKEN: SECRET, ...more.env } });

/** The files below `.ralph` that have a secret in them. */
function leaksIn(at: Project): string[] {
  const ralph = at.path(".ralph");
  return all(ralph).filter((name) => lstatSync(join(ralph, name)).isFile() && LEAK.test(at.read(`.ralph/${name}`)));
}

test.concurrent("no file below .ralph has a secret that the agent printed, and no gate's output", async () => {
  const at = leaky({ env: { QUALITY_GATES: "echo $A_TOKEN", DONE_POLICY: "evidence" } });
  const { exit, stdout, stderr } = await at.ralph("run", "--live", "--max-iterations", "2");
  expect(exit).toBe(4);
  expect(leaksIn(at)).toEqual([]);
  expect(stdout + stderr).not.toMatch(LEAK);
  const [run = ""] = at.runs();
  expect(at.read(`.ralph/runs/${run}/1-1.out`)).toContain("A_TOKEN=[masked: A_TOKEN]\\nTOKEN=[masked: github token]");
  expect(at.read(`.ralph/runs/${run}/1-1.err`)).toBe("warning: [masked: github token]\nfatal: [masked: A_TOKEN]\n");
  expect(at.event("agent_tool_finished")?.content).toBe("A_TOKEN=[masked: A_TOKEN]\nTOKEN=[masked: github token]");
  expect(at.read(`.ralph/runs/${run}/1-gate-1.out`)).toContain("[masked: A_TOKEN]");
});

test.concurrent
  .skipIf(!hasPermissions)
  .each(["rm -rf .ralph/runs", "rm -rf .ralph", "for file in .ralph/runs/*/events.jsonl; do echo x > $file; done"])(
  "a journal that an agent destroyed (%s) is begun anew without a secret",
  async (shell) => {
    const PREAMBLE = `Log in as me:${SECRET} with ${TOKEN}.`;
    const at = leaky({ env: { PREAMBLE }, steps: [{ ...leaks(1), shell }, leaks(2)] });
    await at.ralph("run", "--max-iterations", "2");
    expect(at.event("run_started")?.settings.PREAMBLE).toBe(
      "Log in as me:[masked: A_TOKEN] with [masked: github token].",
    );
    expect(leaksIn(at)).toEqual([]);
  },
);

test.concurrent("the set-up of a worktree leaves no secret that it printed, in no file and on no screen", async () => {
  const at = leaky({ env: { WORKTREE_SETUP: "echo it has $A_TOKEN; exit 3" } });
  const { exit, stderr } = await at.ralph("run", "--worktree=login", "--max-iterations", "1");
  expect([exit, stderr]).toEqual([7, expect.stringContaining("\nit has [masked: A_TOKEN]\n")]);
  expect(leaksIn(at)).toEqual([]);
});

test.concurrent("no command shows a secret of a run, and the next prompt is shown without", async () => {
  const at = leaky({ files: { ".ralph/PROMPT.md": `Do it with ${TOKEN}.\n`, "src.txt": "0\n" } });
  await at.ralph("run", "--max-iterations", "2");
  const commands = [
    "status",
    "logs",
    "logs --json",
    "report",
    "report --html -",
    "prompt",
    "prompt --json",
    "run --dry-run",
  ];
  for (const command of [...commands, "status --json", "circuit status", "replay --speed 1000"]) {
    const { exit, stdout, stderr } = await at.ralph(...command.split(" "));
    expect([command, exit, LEAK.test(stdout + stderr)]).toEqual([command, 0, false]);
  }
  expect((await at.ralph("prompt")).stdout).toContain("Do it with [masked: github token].");
  expect(at.calls()[0]?.stdin).toContain(TOKEN);
});

test.concurrent("--no-mask and MASK_SECRETS=false keep every byte, and a project's settings cannot", async () => {
  const flag = leaky();
  await flag.ralph("run", "--no-mask", "--max-iterations", "1");
  const variable = leaky({ env: { MASK_SECRETS: "false" } });
  await variable.ralph("--max-iterations", "1");
  for (const at of [flag, variable]) expect(at.event("agent_tool_finished")?.content).toContain(`A_TOKEN=${SECRET}`);
  const file = leaky({ files: { ".ralph/PROMPT.md": "Do it.\n", ".ralph/.ralphrc": "MASK_SECRETS=false\n" } });
  await file.ralph("--max-iterations", "1");
  expect(leaksIn(file)).toEqual([]);
});

test.concurrent("a task that was given a secret of the environment goes on with it, and one with another says so", async () => {
  const at = leaky({ files: { "src.txt": "0\n" }, steps: [leaks(1), leaks(2)] });
  await at.ralph(`Log in with ${SECRET}.`, "--max-iterations", "1");
  expect(at.event("run_started")?.task).toBe("Log in with [masked: A_TOKEN].");
  await at.ralph("resume", "--max-iterations", "1");
  expect(at.calls()[1]?.stdin).toContain(`Log in with ${SECRET}.`);

  const lost = leaky({ files: { "src.txt": "0\n" } });
  await lost.ralph(`Log in with ${TOKEN}.`, "--max-iterations", "1");
  const { exit, stderr } = await lost.ralph("resume", "--max-iterations", "1");
  expect([exit, lost.calls().length]).toEqual([7, 1]);
  expect(stderr).toContain("was given a secret that no record keeps: [masked: github token]");
});

test.concurrent("NOTIFY_COMMAND gets no secret", async () => {
  const at = leaky({ env: { NOTIFY_COMMAND: "cat >> ../notified.txt" }, steps: [leaks(1)] });
  await at.ralph("run", "--notify", "--on-denial", "halt");
  expect(at.read("../notified.txt")).toContain("[masked: A_TOKEN]");
  expect(at.read("../notified.txt")).not.toMatch(LEAK);
});

test.concurrent("an answer in plain text, with a private key on many lines, leaves none of it", async () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${"A1b2".repeat(16)}\n`.repeat(12)}-----END RSA PRIVATE KEY-----\n`;
  const at = leaky({
    steps: [{ stdout: `I read the key:\n${key}and ${SECRET}, then went on.\n`, files: { "a.txt": "a" } }],
  });
  await at.ralph("run", "--output-format", "text", "--max-iterations", "1");
  const [run = ""] = at.runs();
  expect(at.read(`.ralph/runs/${run}/1-1.out`)).toBe(
    "I read the key:\n[masked: private key]\nand [masked: A_TOKEN], then went on.\n",
  );
  expect(at.event("agent_finished")?.final_text).toContain("[masked: private key]");
  expect(
    all(at.path(".ralph")).filter((name) => name.endsWith(".log") && at.read(`.ralph/${name}`).includes("A1b2A1b2")),
  ).toEqual([]);
});
