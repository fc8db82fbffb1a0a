/** The same source runs under Deno, which proves that it leans on nothing of Bun's. */
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";
import { run } from "../../scripts/lib/run.ts";

/** The program of the platform's package, which is there even if install scripts were skipped; null on other platforms. */
function findDeno(): string | null {
  const found = new Bun.Glob("node_modules/@deno/*/deno{,.exe}").scanSync({ cwd: root, absolute: true });
  return [...found].find((program) => Bun.spawnSync([program, "--version"]).exitCode === 0) ?? null;
}

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

  test("a driver file is loaded, its types stripped", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-deno-"));
    try {
      copyFileSync(join(root, "drivers", "codex.ts"), join(folder, "mine.ts"));
      const { exitCode, output } = await ralph("drivers", "show", "./mine.ts", "--trust-driver", "-C", folder);
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining("OpenAI Codex") });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("wrong use has its exit code", async () => {
    expect((await ralph("run", "--no-such-flag")).exitCode).toBe(2);
  });
});
