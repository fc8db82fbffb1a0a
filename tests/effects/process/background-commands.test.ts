import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackgroundRunner } from "../../../src/effects/process/background-commands.ts";
import { lives } from "../../e2e/support/harness.ts";
import { until } from "../../e2e/support/until.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("unwatched");

const env = { PATH: process.env.PATH };
const surroundings = { cwd: folder, env };
const shell = (script: string) => ["sh", "-c", script];
const pidIn = (name: string) => Number(existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : 0);

describe.skipIf(process.platform === "win32")("a background program", () => {
  test("reads all of its input and leaves no input file", async () => {
    const unwatched = createBackgroundRunner();
    const stdin = "x".repeat(300_000);
    unwatched.start({ argv: shell("cat > got.part && mv got.part got"), stdin }, surroundings);
    await until("the input", () => existsSync(join(folder, "got")));
    expect(readFileSync(join(folder, "got"), "utf8")).toBe(stdin);
    await unwatched.end();
    expect(readdirSync(tmpdir()).filter((name) => /^ralph-[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name))).toEqual([]);
  });

  test.each([
    ["that does not exist", ["/no/such/program"]],
    ["that no system can start", ["sh", "-c", "true\u0000"]],
    ["that fails", ["sh", "-c", "exit 3"]],
    ["that prints more than anyone reads", ["sh", "-c", "head -c 100000000 /dev/zero"]],
  ])("%s causes no error", async (_, argv) => {
    const unwatched = createBackgroundRunner();
    unwatched.start({ argv, stdin: "words" }, surroundings);
    await unwatched.end();
  });

  test("that hangs is ended with everything it started, once its time is over", async () => {
    const unwatched = createBackgroundRunner({ leastMs: 300 });
    const started = performance.now();
    unwatched.start({ argv: shell("trap '' TERM; sh -c 'echo $$ > inner; exec sleep 60'; true") }, surroundings);
    await until("the inner program", () => pidIn("inner") > 0);
    const inner = pidIn("inner");
    await unwatched.end();
    expect(performance.now() - started).toBeGreaterThanOrEqual(299);
    await until("its end", () => !lives(inner));
  });

  test("is not started beside too many that hang", async () => {
    const unwatched = createBackgroundRunner({ leastMs: 0 });
    for (let n = 0; n < 12; n += 1)
      unwatched.start({ argv: shell(`echo $$ > many-${n}; exec sleep 60`) }, surroundings);
    await until("eight of them", () => readdirSync(folder).filter((name) => name.startsWith("many-")).length === 8);
    const pids = readdirSync(folder)
      .filter((name) => name.startsWith("many-"))
      .map(pidIn);
    await unwatched.end();
    expect(readdirSync(folder).filter((name) => name.startsWith("many-"))).toHaveLength(8);
    await until("the end of all", () => pids.every((pid) => !lives(pid)));
  });
});
