/** Settings written by commands: the project's, and the user's for all projects. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { userSettingsPath } from "../../../src/effects/user/user-settings.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const RC = ".ralph/.ralphrc";
const TEXT = "# mine\r\nexport MAX_TIME=1h # enough\r\n\r\nMAX_CALLS_PER_HOUR=7\r\n# the end";

function withSettings(text: string, env: Record<string, string> = {}): Project {
  return project({ files: { ".ralph/PROMPT.md": "x\n", [RC]: text }, git: false, env: { RALPH_TRUST: "", ...env } });
}

function writeUsers(p: Project, text: string): string {
  const path = userSettingsPath(p.env);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function settings(p: Project): Promise<Record<string, { value: unknown; source: string; where: string | null }>> {
  return JSON.parse((await p.ralph("config", "--json")).stdout).settings;
}

test("config get prints the value in effect alone, and an empty line for none", async () => {
  const p = withSettings(`${TEXT}\nPREAMBLE="it's two  words"\nQUALITY_GATES="npm test;npm run lint"\n`, {
    MAX_TIME: "90s",
  });
  const got = async (name: string) => {
    const { exit, stdout, stderr } = await p.ralph("config", "get", name);
    return [exit, stdout, stderr];
  };
  expect(await got("MAX_TIME")).toEqual([0, "90s\n", ""]);
  expect(await got("MAX_CALLS_PER_HOUR")).toEqual([0, "7\n", ""]);
  expect(await got("PREAMBLE")).toEqual([0, "it's two  words\n", ""]);
  expect(await got("QUALITY_GATES")).toEqual([0, "npm test;npm run lint\n", ""]);
  expect(await got("MASK_SECRETS")).toEqual([0, "true\n", ""]);
  for (const name of ["PUSH", "GATE_FILES", "MAX_COST_USD"]) expect(await got(name)).toEqual([0, "\n", ""]);
  const [exit, out, err] = await got("MAX_TIMES");
  expect([exit, out]).toEqual([2, ""]);
  expect(err).toContain("Did you mean MAX_TIME?");
});

test("config get names a line that no run takes, as a run does, and gives no default in its place", async () => {
  const p = withSettings("MAX_TIME=1h\nMAX_ITERATIONS = 5\n");
  const { exit, stdout, stderr } = await p.ralph("config", "get", "MAX_ITERATIONS");
  expect([exit, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`${RC}:2: `);
  expect(stderr).toBe((await p.ralph("config")).stderr);
});

test("a change tells of each line of the file that no run takes", async () => {
  const p = withSettings("MAX_TIME=1h\nMAX_ITERATIONS = 5\n");
  for (const words of [
    ["set", "MAX_ITERATIONS=7"],
    ["unset", "MAX_ITERATIONS"],
    ["set", "--user", "MAX_TIME=2h"],
  ]) {
    const { exit, stderr } = await p.ralph("config", ...words);
    expect([words, exit]).toEqual([words, 0]);
    expect(stderr).toContain(`No run starts before this is mended: ${RC}:2: `);
  }
  expect((await p.ralph("config", "set", "--quiet", "MAX_ITERATIONS=7")).stderr).toBe("");
});

test("config set changes one line of the file, and unset takes it out again", async () => {
  const p = withSettings(TEXT);
  expect(await p.ralph("config", "set", "MAX_TIME=8h", "PREAMBLE=it's $HOME")).toMatchObject({ exit: 0, stderr: "" });
  expect(p.read(RC)).toBe(`${TEXT.replace("=1h", "=8h")}\r\nPREAMBLE="it's \\$HOME"\r\n`);
  expect(await settings(p)).toMatchObject({
    MAX_TIME: { value: 480, source: "file", where: `${RC}:2` },
    PREAMBLE: { value: "it's $HOME", source: "file", where: `${RC}:6` },
  });
  expect((await p.ralph("config")).stdout).toMatch(/MAX_TIME +8h +file/);
  expect(await p.ralph("config", "unset", "PREAMBLE", "MAX_TIME")).toMatchObject({ exit: 0 });
  expect(p.read(RC)).toBe("# mine\r\n\r\nMAX_CALLS_PER_HOUR=7\r\n# the end\r\n");
});

test("a change takes nothing else away: not what Windows editors put first, nor a second setting in a line", async () => {
  const p = withSettings("\uFEFFMAX_TIME=1h\r\n");
  expect(await p.ralph("config", "set", "MAX_TIME=8h", "MAX_ITERATIONS=3")).toMatchObject({ exit: 0, stderr: "" });
  expect(p.read(RC)).toBe("\uFEFFMAX_TIME=8h\r\nMAX_ITERATIONS=3\r\n");
  for (const line of ["MAX_TIME=1h; MAX_ITERATIONS=3", "MAX_TIME=1h MAX_ITERATIONS=3"]) {
    p.write(RC, `${line}\n`);
    await p.ralph("config", "set", "MAX_TIME=8h");
    expect(p.read(RC)).toBe(`${line}\nMAX_TIME=8h\n`);
    await p.ralph("config", "unset", "MAX_TIME");
    expect(p.read(RC)).toBe(`${line}\n`);
    expect((await p.ralph("config")).stderr).toContain("one line holds one setting");
  }
});

test.each([
  [
    ["MAX_TIME=8h", "MAX_ITERATION=3"],
    "MAX_ITERATION is no setting of ralph and has no effect. Did you mean MAX_ITERATIONS?",
  ],
  [["MAX_TIME", "soon"], 'MAX_TIME="soon" is not allowed: it must be whole minutes'],
  [["MAX_TIME="], "ralph config unset MAX_TIME"],
  [["MAX_TIME"], "is not of the form NAME=VALUE"],
  [["PREAMBLE=a\nMAX_TIME=1h"], "a value is one line"],
  [["RALPH_TRUST_DRIVERS=true"], "RALPH_TRUST has no effect in a project's file"],
  [["HIDDEN_GATES=x"], "HIDDEN_GATES has no effect in a file"],
])("config set %p is refused and writes nothing", async (words, says) => {
  const p = withSettings(TEXT);
  expect(await p.ralph("config", "set", ...words)).toMatchObject({ exit: 2, stderr: expect.stringContaining(says) });
  expect(p.read(RC)).toBe(TEXT);
});

test("the user's settings hold for all projects, below a project's own", async () => {
  const p = withSettings("MAX_TIME=1h\n");
  const where = userSettingsPath(p.env);
  const { exit, stdout, stderr } = await p.ralph("config", "set", "--user", "MAX_TIME=2h", "PLATFORM_DRIVER=codex");
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining(where) });
  expect(stderr).toContain(`${RC}:1 comes before it in this project.`);
  expect(await settings(p)).toMatchObject({
    MAX_TIME: { value: 60, source: "file", where: `${RC}:1` },
    PLATFORM_DRIVER: { value: "codex", source: "user", where: `${where}:2` },
  });
  p.write(RC, "");
  expect((await settings(p)).MAX_TIME).toEqual({ value: 120, source: "user", where: `${where}:1` });
});

test("the user's settings may hold what a project's may not, and a fault in them is named with its place", async () => {
  const p = withSettings("");
  const path = writeUsers(p, "RALPH_TRUST_DRIVERS=true\nRALPH_UPDATE_URL=http://127.0.0.1:9/\n");
  expect(await settings(p)).toMatchObject({ RALPH_TRUST: { value: true, source: "user" } });
  const { stdout } = await p.ralph("doctor", "--json");
  expect(stdout).toContain("new ones come from http://127.0.0.1:9/");
  writeUsers(p, "MAX_TIME=never\n");
  const refused = await p.ralph("config");
  expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining(`${path}:1: MAX_TIME="never"`) });
  expect(await p.ralph("config", "set", "--user", "MAX_TIME=8h")).toMatchObject({ exit: 0 });
  expect(readFileSync(path, "utf8")).toBe("MAX_TIME=8h\n");
});

test("config set says what still comes before the new value, and refuses an agent", async () => {
  const p = withSettings("", { MAX_TIME: "5m" });
  const set = ["config", "set", "MAX_TIME=8h"];
  expect(await p.ralph(...set)).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining("MAX_TIME in the environment comes before it."),
  });
  const inAgent = withSettings("", { RALPH_RUN: "somewhere" });
  for (const more of [[], ["--user"]])
    expect(await inAgent.ralph(...set, ...more)).toMatchObject({ exit: 7, stderr: expect.stringContaining("agent") });
  expect(inAgent.read(RC)).toBe("");
});

test.skipIf(process.platform === "win32")(
  "config set keeps the permissions of the file, and what a user's link leads to",
  async () => {
    const p = withSettings("MAX_TIME=1h\n");
    chmodSync(p.path(RC), 0o600);
    await p.ralph("config", "set", "MAX_TIME=2h");
    const { mode } = await Bun.file(p.path(RC)).stat();
    expect(mode & 0o777).toBe(0o600);
    const path = userSettingsPath(p.env);
    const kept = join(p.env.HOME ?? "", "dotfiles-ralphrc");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(kept, "MAX_TIME=1h\n");
    symlinkSync(kept, path);
    await p.ralph("config", "set", "--user", "MAX_TIME=2h");
    expect(readFileSync(kept, "utf8")).toBe("MAX_TIME=2h\n");
  },
);

test("outside of a project there is no file to change, except the user's", async () => {
  const p = project({ files: {}, git: false });
  expect(await p.ralph("config", "set", "MAX_TIME=8h")).toMatchObject({
    exit: 7,
    stderr: expect.stringContaining("--user"),
  });
  expect(await p.ralph("config", "set", "--user", "MAX_TIME=8h")).toMatchObject({ exit: 0 });
  expect(await p.ralph("config", "edit")).toMatchObject({ exit: 7 });
});

test("set-up takes the user's own settings for a new project", async () => {
  const p = project({ files: {}, git: false });
  writeUsers(p, "PLATFORM_DRIVER=codex\nMAX_TIME=2h\nMAX_ITERATIONS=7\n");
  expect(await p.ralph("setup", "--yes")).toMatchObject({ exit: 0 });
  expect(p.read(RC)).toMatch(/^PLATFORM_DRIVER=codex$[\s\S]*^MAX_ITERATIONS=7$[\s\S]*^MAX_TIME=2h$/m);
});
