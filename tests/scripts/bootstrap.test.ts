/** The bootstrap in a small project of its own, under Node if there is one, and under Bun. */
import { beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";
import { run } from "../../scripts/lib/run-program.ts";
import { testFolders } from "../folders.ts";

const node = Bun.which("node");
const exe = process.platform === "win32" ? ".exe" : "";
const lock = (version: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": { name: "small" },
      "node_modules/dep": { version },
      "node_modules/other-platform": { version: "1.0.0", optional: true },
    },
  });

/** Stands in for npm's program: logs its arguments, then installs what the lock file lists. */
const fakeNpm = `
const fs = require("node:fs");
fs.appendFileSync("npm.log", process.argv.slice(2).join(" ") + "\\n");
console.log("added 1 package");
if (process.env.NPM_FAILS) process.exit(Number(process.env.NPM_FAILS));
const { version } = JSON.parse(fs.readFileSync("package-lock.json", "utf8")).packages["node_modules/dep"];
fs.mkdirSync("node_modules/dep", { recursive: true });
fs.writeFileSync("node_modules/dep/package.json", JSON.stringify({ version }));
`;

let project = "";
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
};
const installs = () => (existsSync(join(project, "npm.log")) ? readFileSync(join(project, "npm.log"), "utf8") : "");

async function bootstrap(
  args: string[],
  options: { runtime?: string; env?: Record<string, string>; cwd?: string } = {},
) {
  const { runtime = node ?? process.execPath, env = {}, cwd = project } = options;
  return run([runtime, join(project, "scripts", "bootstrap.mjs"), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: project, npm_execpath: join(project, "npm-cli.js"), ...env },
    timeoutMs: 20_000,
  });
}

const newFolder = testFolders("bootstrap");
beforeEach(() => {
  project = newFolder();
  write("package-lock.json", lock("1.0.0"));
  write("package.json", '{ "name": "small" }');
  write("npm-cli.js", fakeNpm);
  write(
    "scripts/test.ts",
    "console.log(JSON.stringify([process.cwd(), process.argv.slice(2)])); process.exitCode = 3;",
  );
  copyFileSync(join(root, "scripts", "bootstrap.mjs"), join(project, "scripts", "bootstrap.mjs"));
  mkdirSync(join(project, "node_modules", "bun", "bin"), { recursive: true });
  symlinkSync(process.execPath, join(project, "node_modules", "bun", "bin", "bun.exe"));
});

describe.skipIf(node === null)("under Node", () => {
  test("what is missing is installed once, then the script runs with its arguments in the project folder", async () => {
    const first = await bootstrap(["test", "--layer", "unit"], { cwd: tmpdir() });
    expect(first.output).toContain("installing the dependencies (npm ci)\nadded 1 package\n");
    const second = await bootstrap(["test", "a b"]);
    expect(JSON.parse(second.output)).toEqual([expect.stringMatching(/ralph-bootstrap-/), ["a b"]]);
    expect(installs()).toBe("ci --include=dev --loglevel=error\n");
    expect([first.exitCode, second.exitCode]).toEqual([3, 3]);
  });

  test("a changed lock file is installed", async () => {
    await bootstrap(["test"]);
    write("package-lock.json", lock("2.0.0"));
    await bootstrap(["test"]);
    expect(installs()).toBe("ci --include=dev --loglevel=error\nci --include=dev --loglevel=error\n");
  });

  test("dependencies that are already installed as locked are not installed again", async () => {
    write("node_modules/dep/package.json", '{ "version": "1.0.0" }');
    await bootstrap(["test"]);
    expect(installs()).toBe("");
  });

  test("an install without a program for Bun falls back to the package of the platform", async () => {
    rmSync(join(project, "node_modules", "bun", "bin", "bun.exe"));
    write("node_modules/bun/bin/bun.exe", "a stub");
    write("node_modules/dep/package.json", '{ "version": "1.0.0" }');
    mkdirSync(join(project, "node_modules", "@oven", "bun-here", "bin"), { recursive: true });
    symlinkSync(process.execPath, join(project, "node_modules", "@oven", "bun-here", "bin", `bun${exe}`));
    expect((await bootstrap(["test", "x"])).output).toContain('["x"]');
  });

  test("a failed install ends with its code and says what to do", async () => {
    const { exitCode, output } = await bootstrap(["test"], { env: { NPM_FAILS: "9" } });
    expect(output).toContain("bootstrap: npm ci failed with exit code 9: see above; check the network");
    expect(exitCode).toBe(9);
  });

  test.skipIf(process.platform === "win32")("without npm it installs with the Bun of the PATH", async () => {
    write(
      "bin/bun",
      '#!/bin/sh\necho "$@" >> npm.log\n/bin/mkdir -p node_modules/dep\necho \'{"version":"1.0.0"}\' > node_modules/dep/package.json\n',
    );
    chmodSync(join(project, "bin", "bun"), 0o755);
    await bootstrap(["test"], { env: { npm_execpath: "", PATH: join(project, "bin") } });
    expect(installs()).toBe("install --frozen-lockfile\n");
  });

  test.each([["nonsense"], ["../build"], [""]])("an unknown script %p is wrong use", async (name) => {
    const { exitCode, output } = await bootstrap([name]);
    expect(output).toContain(`bootstrap: unknown script "${name}"`);
    expect(exitCode).toBe(2);
  });
});

test("the script a:b runs the file a-b.ts", async () => {
  write("scripts/test-agents.ts", "console.log('agents');");
  write("node_modules/dep/package.json", '{ "version": "1.0.0" }');
  expect(await bootstrap(["test:agents"])).toMatchObject({ exitCode: 0, output: "agents\n" });
});

describe.skipIf(process.platform === "win32")("npm start", () => {
  beforeEach(() => {
    write("node_modules/dep/package.json", '{ "version": "1.0.0" }');
    write("ralph", '#!/bin/sh\necho "ralph $@"\nexit 4\n');
    write(
      "scripts/build.ts",
      'import { chmodSync, copyFileSync, mkdirSync } from "node:fs";\nmkdirSync("dist", { recursive: true });\ncopyFileSync("ralph", "dist/ralph");\nchmodSync("dist/ralph", 0o755);',
    );
  });

  test.each([
    [[], "ralph demo\n"],
    [["--no-color"], "ralph demo --no-color\n"],
    [["status", "--json"], "ralph status --json\n"],
  ])("with %j builds, then runs: %s", async (args, output) => {
    expect(await bootstrap(["start", ...args])).toMatchObject({ exitCode: 4, output });
  });

  test("after a failed build ends with its code and runs nothing", async () => {
    write("scripts/build.ts", "process.exit(5);");
    expect(await bootstrap(["start"])).toMatchObject({
      exitCode: 5,
      output: "bootstrap: the build failed with exit code 5: see above\n",
    });
  });

  test("passes a signal on to ralph and ends with ralph's exit code", async () => {
    write("ralph", "#!/bin/sh\ntrap 'exit 7' TERM\nkill -TERM $PPID\nwhile :; do :; done\n");
    expect((await bootstrap(["start"])).exitCode).toBe(7);
    write("ralph", "#!/bin/sh\nkill -KILL $$\n");
    expect((await bootstrap(["start"])).exitCode).toBe(137);
  });
});

test("a machine with nothing but Bun installs and runs", async () => {
  write("dep/package.json", '{ "name": "dep", "version": "1.0.0" }');
  const dependencies = { dep: "file:dep" };
  write("package.json", JSON.stringify({ name: "small", dependencies }));
  write(
    "package-lock.json",
    JSON.stringify({
      name: "small",
      lockfileVersion: 3,
      requires: true,
      packages: {
        "": { name: "small", dependencies },
        dep: { version: "1.0.0" },
        "node_modules/dep": { resolved: "dep", link: true },
      },
    }),
  );
  rmSync(join(project, "node_modules"), { recursive: true });
  const { exitCode, output } = await bootstrap(["test"], { runtime: process.execPath, env: { PATH: project } });
  expect(output).toContain("installing the dependencies (bun install)");
  expect(exitCode).toBe(3);
  expect(existsSync(join(project, "node_modules", "dep", "package.json"))).toBe(true);
});
