import { describe, expect, test } from "bun:test";
import { execFile } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import git from "isomorphic-git";
import demo from "../../../drivers/demo.ts";
import type { DemoScript } from "../../../src/core/demo-script.ts";
import { decode, only } from "../../drivers/recordings/recordings.ts";
import { testFolder } from "../../folders.ts";

const program = join(import.meta.dirname, "..", "..", "agents", "demo-agent.ts");
const root = testFolder("demo-agent");

function project(name: string, script?: DemoScript) {
  const cwd = join(root, name);
  fs.mkdirSync(cwd);
  const env: Record<string, string> = {};
  if (script !== undefined) {
    env.RALPH_DEMO_SCRIPT = join(root, `${name}.json`);
    fs.writeFileSync(env.RALPH_DEMO_SCRIPT, JSON.stringify(script));
  }
  const run = (more: Record<string, string> = {}, ...argv: string[]) =>
    new Promise<{ code: number; stdout: string }>((done) => {
      const options = { cwd, env: { ...process.env, ...env, ...more } };
      execFile(process.execPath, [program, ...argv], options, (error, stdout) =>
        done({ code: error === null ? 0 : Number(error.code), stdout }),
      );
    });
  return { cwd, run };
}

describe("the demo agent", () => {
  test("plays the next entry in each call, and commits in its temporary repository", async () => {
    const { cwd, run } = project("steps", {
      iterations: [
        { text: "first", write: { "a/b.txt": "1" }, commit: "One" },
        { text: "second", exit_code: 4 },
      ],
    });
    await git.init({ fs, dir: cwd, defaultBranch: "main" });
    const state = { RALPH_DEMO_STATE: join(root, "steps-state.json") };
    const outputs = [await run(state), await run(state), await run(state)];
    expect(outputs.map(({ code }) => code)).toEqual([0, 4, 4]);
    const texts = outputs.flatMap(({ stdout }) => only(decode(demo, stdout.split("\n")), "text"));
    expect(texts.map(({ text }) => text)).toEqual(["first", "second", "second"]);
    const [commit] = await git.log({ fs, dir: cwd });
    expect(commit?.commit.message).toBe("One\n");
    expect(fs.readFileSync(join(cwd, "a", "b.txt"), "utf8")).toBe("1");
  });

  test("reports a commit outside a repository as failed, and makes no repository", async () => {
    const { cwd, run } = project("no-repository", {
      iterations: [{ text: "x", write: { "a.txt": "1" }, commit: "One" }],
    });
    const { code, stdout } = await run();
    expect(code).toBe(0);
    const results = only(decode(demo, stdout.split("\n")), "tool_result");
    expect(results.map(({ is_error }) => is_error)).toEqual([false, true]);
    expect(stdout).toContain("This folder is no git repository.");
    expect(fs.existsSync(join(cwd, ".git"))).toBe(false);
  });

  test("commits in a worktree too", async () => {
    const { cwd: main } = project("main-tree");
    const { cwd, run } = project("worktree", { iterations: [{ write: { "a.txt": "1" }, commit: "One" }] });
    const inGit = (...words: string[]) =>
      Bun.spawnSync(["git", "-C", main, ...words])
        .stdout.toString()
        .trim();
    inGit("init", "-q");
    inGit("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "zero");
    inGit("worktree", "add", "-q", "-b", "side", cwd);
    const { stdout } = await run();
    expect(only(decode(demo, stdout.split("\n")), "tool_result").map(({ is_error }) => is_error)).toEqual([
      false,
      false,
    ]);
    expect(inGit("log", "-1", "--format=%s", "side")).toBe("One");
  });

  test("starts its script over in each run of ralph", async () => {
    const { run } = project("runs", { iterations: [{ exit_code: 1 }, { exit_code: 2 }] });
    const codes: number[] = [];
    for (const RALPH_RUN of ["one", "one", "two"]) codes.push((await run({ RALPH_RUN })).code);
    expect(codes).toEqual([1, 2, 1]);
  });

  test("uses the session that it is given", async () => {
    const { run } = project("session");
    const id = "0f8e7d6c-1234-4abc-9def-001122334455";
    for (const flag of ["--session-id", "--resume"]) {
      const { stdout } = await run({}, flag, id);
      expect(only(decode(demo, stdout.split("\n")), "session_id")).toMatchObject([{ session_id: id }]);
    }
  });

  test.skipIf(process.platform === "win32")(
    "writes nothing outside its folder, neither by path nor by link",
    async () => {
      const { cwd, run } = project("outside", {
        iterations: [
          {
            write: {
              "../escaped.txt": "x",
              "out/escaped.txt": "x",
              "dangling.txt": "x",
              [join(root, "escaped.txt")]: "x",
            },
          },
        ],
      });
      fs.symlinkSync(root, join(cwd, "out"));
      fs.symlinkSync(join(root, "escaped.txt"), join(cwd, "dangling.txt"));
      const { stdout } = await run();
      const results = only(decode(demo, stdout.split("\n")), "tool_result");
      expect(results.map(({ is_error }) => is_error)).toEqual([true, true, true, true]);
      expect(fs.existsSync(join(root, "escaped.txt"))).toBe(false);
    },
  );

  test("refuses an invalid script", async () => {
    const { run } = project("bad");
    const file = join(root, "bad-script.json");
    fs.writeFileSync(file, '{"iterations":[]}');
    expect((await run({ RALPH_DEMO_SCRIPT: file })).code).not.toBe(0);
  });
});
