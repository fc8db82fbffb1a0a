/** The same source runs under Deno, which proves that it depends on nothing of Bun. */
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";
import { run } from "../../scripts/lib/run-program.ts";
import { cleanEnvironment } from "../../scripts/lib/tests/environment.ts";
import { terminal } from "../e2e/support/terminal.ts";
import { findDeno } from "./find-deno.ts";

const deno = findDeno() ?? "";
const main = join(root, "src", "main.ts");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The permissions that ralph needs. */
const permissions = ["read", "write", "env", "run", "sys", "net"].map((name) => `--allow-${name}`);
const ralph = (...args: string[]) => run([deno, "run", "--quiet", ...permissions, main, ...args]);

describe.skipIf(deno === "")("under Deno", () => {
  test("the source passes its type check", async () => {
    expect(await run([deno, "check", "--quiet", main])).toMatchObject({ exitCode: 0, output: "" });
  });

  test("ralph --version answers", async () => {
    const { exitCode, output } = await ralph("--version");
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining(version) });
  });

  test("a driver file is loaded with its types stripped", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-deno-"));
    try {
      copyFileSync(join(root, "drivers", "codex.ts"), join(folder, "mine.ts"));
      const { exitCode, output } = await ralph("drivers", "show", "./mine.ts", "--trust-driver", "-C", folder);
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining("OpenAI Codex") });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each([
    ["without network permission does not stop a run with Deno's question", [], 0],
    ["with network permission asks the server once", ["--allow-net"], 1],
  ])("the update check %s", async (_, net, times) => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-deno-"));
    // Deno keeps its caches there, and writes to them while ralph reads the project.
    const home = mkdtempSync(join(tmpdir(), "ralph-deno-home-"));
    const asked: string[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => {
        asked.push(url);
        return Response.json({ version: "999.0.0", notes: "", date: "", platforms: {} });
      },
    });
    try {
      mkdirSync(join(folder, ".ralph"));
      writeFileSync(join(folder, ".ralph", "PROMPT.md"), "Do the next task.\n");
      const source = { RALPH_UPDATE_URL: `http://127.0.0.1:${server.port}`, RALPH_UPDATE_CHECK: "always" };
      const least = permissions.filter((name) => name !== "--allow-net");
      const shown = terminal(["run", "--driver", "demo", "--max-iterations", "1"], {
        cwd: folder,
        env: { ...cleanEnvironment(home), ...source },
        program: [deno, "run", "--quiet", ...least, ...net, main],
      });
      await shown.sees("max_iterations");
      expect(await shown.ended).toBe(4);
      expect(asked).toHaveLength(times);
    } finally {
      void server.stop(true);
      for (const made of [folder, home]) rmSync(made, { recursive: true, force: true });
    }
  });

  test("wrong usage has its exit code", async () => {
    expect((await ralph("run", "--no-such-flag")).exitCode).toBe(2);
  });
});
