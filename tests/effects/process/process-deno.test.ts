import { expect, test } from "bun:test";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const deno = join(import.meta.dirname, "..", "..", "..", "node_modules", ".bin", "deno");
const canRun = process.platform !== "win32" && existsSync(deno);

test.skipIf(!canRun)(
  "processes are controlled in the same way under Deno",
  async () => {
    const script = join(import.meta.dirname, "run-under-deno.ts");
    const { stdout } = await promisify(execFile)(deno, ["run", "-A", "--no-check", script]);
    expect(JSON.parse(stdout)).toEqual({
      missing: ["spawn_failed", expect.stringContaining("ralph-no-such-program: it was not found")],
      huge: ["spawn_failed", expect.stringContaining("too long")],
      failed: ["failed", 7, 300_000, ["why"]],
      killed: ["failed", null, "SIGKILL"],
      refusing: ["ok", ["fine"]],
      stopped: ["stopped", "SIGKILL", false],
      holding: ["ok", 1, false],
      bare: ["ok", 1, false],
      flood: ["ok", [8 * 1024 * 1024, 3]],
    });
  },
  20_000,
);
