/** What other users of the machine may read of a run. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

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
  expect(seen).toContain("--append-system-prompt Iteration 2 of an unattended loop");
  expect(seen).not.toContain(WORD);
  expect(seen).not.toContain("quincequince");
});

test.concurrent.skipIf(!hasPermissions)(
  "an agent without a conversation is told its last answer on stdin",
  async () => {
    const at = project({ steps: answersThenLooks });
    await at.ralph("--max-iterations", "2", "--no-continue");
    expect(at.read("seen.txt")).not.toContain(WORD);
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
