/** The wizard under Deno, in a terminal. */
import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";
import { cleanEnvironment } from "../../scripts/lib/tests/environment.ts";
import { KEYS, terminal } from "../e2e/support/terminal.ts";
import { testFolder } from "../folders.ts";
import { findDeno } from "./find-deno.ts";

const deno = findDeno() ?? "";
const top = testFolder("deno");

describe.skipIf(deno === "" || process.platform === "win32")("under Deno", () => {
  test("the wizard asks, shows and writes as it does in the compiled program", async () => {
    writeFileSync(join(top, "package.json"), JSON.stringify({ scripts: { test: "x" } }));
    const permissions = ["read", "write", "env", "run", "sys", "net"].map((name) => `--allow-${name}`);
    const program = [deno, "run", "--quiet", ...permissions, join(root, "src", "main.ts")];
    const screen = terminal(["setup"], { cwd: top, env: cleanEnvironment(top), program });
    await screen.sees("Which agent will you use?");
    screen.type(KEYS.enter);
    await screen.sees("What is to be done?");
    screen.type(KEYS.up + KEYS.enter);
    await screen.sees("Write these files?");
    screen.type(KEYS.enter);
    expect(await screen.ended).toBe(0);
    expect(existsSync(join(top, ".ralph", "PROMPT.md"))).toBe(true);
  });
});
