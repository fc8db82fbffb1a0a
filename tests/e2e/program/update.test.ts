/** An old program updates itself from a release on loopback, and survives every wrong release. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { hostTarget } from "../../../scripts/lib/build/targets.ts";
import { binary } from "../../../scripts/lib/paths.ts";
import { signed } from "../../../scripts/lib/release/sign.ts";
import { cleanEnvironment } from "../../../scripts/lib/tests/environment.ts";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { signaturePayload } from "../../../src/core/release/release.ts";
import { sha256Of } from "../../../src/effects/files/sha256.ts";
import { canInject, faultOf, pointsUnder, strikingAt } from "../../fault/inject.ts";
import { compileCopy, copyOfSource, newKey } from "../support/builds.ts";
import { lives, wholeLines } from "../support/harness.ts";
import { until } from "../support/until.ts";

const TARGET = hostTarget()?.name ?? "";
const { key, publicKey } = newKey();
const folder = mkdtempSync(join(tmpdir(), "ralph-update-"));
const copies: string[] = [];
let old = "";

/** The files of the server; a function for any other answer. */
type Files = Record<string, string | Uint8Array | (() => Response | Promise<Response>)>;
let files: Files = {};
const asked: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) => {
    const name = new URL(url).pathname.slice(1);
    asked.push(name);
    const file = files[name];
    if (file === undefined) return new Response("not there", { status: 404 });
    return typeof file === "function" ? file() : new Response(file as string);
  },
});
const source = `http://127.0.0.1:${server.port}`;

beforeAll(async () => {
  // Without a repository, the only source of releases is the one that a test names.
  copies.push(copyOfSource({ version: "1.0.0", repository: undefined }));
  old = await compileCopy(copies[0] ?? "", publicKey);
});
afterAll(() => {
  void server.stop(true);
  for (const place of [folder, ...copies]) rmSync(place, { recursive: true, force: true });
});

/** The old program, in a folder of its own. */
function installed(program = old): string {
  const path = join(mkdtempSync(join(folder, "bin-")), "ralph");
  // The checkout's own program may be on another disk than temporary files, where it can have no second name.
  if (program === binary) copyFileSync(program, path);
  else linkSync(program, path);
  return path;
}

const script = (version: string) => new TextEncoder().encode(`#!/bin/sh\necho ${version}\n`);

type ReleaseOptions = {
  version?: string;
  program?: Uint8Array;
  sign?: typeof key;
  signedVersion?: string;
  notes?: string;
  change?: (asset: Record<string, unknown>, content: Uint8Array) => void;
};

/** A release with one asset, correct unless an option breaks it. */
function release(options: ReleaseOptions = {}): Files {
  const { version = "1.1.0", program = script(version), sign = key, signedVersion = version, change } = options;
  const { notes = "### Added\n\n- All is new." } = options;
  const content = zstdCompressSync(program, { params: {} });
  const sha256 = sha256Of(content);
  const text = signaturePayload({ version: signedVersion, target: TARGET, sha256 });
  const signature = signed(text, sign).toString("base64");
  const asset: Record<string, unknown> = { url: "ralph.zst", sha256, size: content.length, signature };
  change?.(asset, content);
  const latest = { version, notes, date: "2026-11-22", platforms: { [TARGET]: asset } };
  return { "latest.json": JSON.stringify(latest), "ralph.zst": content };
}

type Ended = { exit: number | null; out: string; err: string };

async function run(argv: readonly string[], env: Record<string, string> = {}, cwd = folder): Promise<Ended> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const child = Bun.spawn([...argv], {
    cwd,
    env: { ...cleanEnvironment(home), RALPH_UPDATE_URL: source, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exit, out, err };
}

const version = async (path: string) => (await run([path, "--version"])).out.trim();
const beside = (path: string) => readdirSync(dirname(path));

describe.skipIf(TARGET === "" || process.platform === "win32")("ralph update", () => {
  test("replaces the program by a newer, complete ralph", async () => {
    copies.push(copyOfSource({ version: "1.1.0" }));
    files = release({ program: readFileSync(await compileCopy(copies[1] ?? "", publicKey)) });
    const path = installed();
    const { exit, out } = await run([path, "update"]);
    expect({ exit, out }).toEqual({
      exit: 0,
      out: "ralph 1.1.0 is installed; it was 1.0.0.\n\n### Added\n\n- All is new.\n",
    });
    expect(await version(path)).toBe("1.1.0");
    expect(beside(path)).toEqual(["ralph"]);
    expect(await version(old)).toBe("1.0.0");
  });

  test.each([
    ["1.0.0", "ralph 1.0.0 is the newest.\n"],
    ["0.9.0", "The newest release is 0.9.0, and this is 1.0.0: nothing to do.\n"],
    ["1.1.0-rc.1", "ralph 1.0.0 is the newest; 1.1.0-rc.1 is a pre-release.\n"],
  ])("keeps the program if the release is %s", async (offered, says) => {
    files = release({ version: offered });
    const path = installed();
    expect(await run([path, "update"])).toEqual({ exit: 0, out: says, err: "" });
    expect(await version(path)).toBe("1.0.0");
  });

  test("only compares versions with --check", async () => {
    files = release();
    const path = installed();
    asked.length = 0;
    const { exit, out } = await run([path, "update", "--check", "--json"]);
    expect({ exit, ...JSON.parse(out) }).toMatchObject({
      exit: 0,
      current: "1.0.0",
      latest: "1.1.0",
      standing: "newer",
      installed: false,
      how: "ralph update",
    });
    expect(asked).toEqual(["latest.json"]);
    expect(await version(path)).toBe("1.0.0");
  });

  const other = newKey().key;
  const wrong: [string, ReleaseOptions, string][] = [
    [
      "a bad checksum",
      { change: (asset) => Object.assign(asset, { sha256: "0".repeat(64) }) },
      "does not have the checksum",
    ],
    ["another signer's signature", { sign: other }, "is not signed by the makers of this ralph"],
    ["no signature", { change: (asset) => Object.assign(asset, { signature: null }) }, "is not signed by"],
    ["an old, signed program under a new version", { signedVersion: "0.5.0" }, "is not signed by"],
    [
      "less content than stated",
      { change: (asset) => Object.assign(asset, { size: Number(asset.size) + 9 }) },
      "is cut off",
    ],
    [
      "a size for which no memory would do",
      { change: (asset) => Object.assign(asset, { size: 4e11 }) },
      "which is no ralph",
    ],
    ["more content than stated", { change: (asset) => Object.assign(asset, { size: 9 }) }, "longer than 9 bytes"],
    ["a program of another version", { program: script("0.5.0") }, 'says it is "0.5.0"'],
    ["a program that does not run", { program: new TextEncoder().encode("#!/nowhere\n") }, "does not run here"],
    [
      "a missing program",
      { change: (asset) => Object.assign(asset, { url: "nothing.zst" }) },
      "the server answered 404",
    ],
    [
      "an unsafe address",
      { change: (asset) => Object.assign(asset, { url: "http://example.invalid/a" }) },
      "only https is safe",
    ],
  ];
  test.each(wrong)("refuses a release with %s and keeps the old program", async (_, options, why) => {
    files = release(options);
    const path = installed();
    const { exit, out, err } = await run([path, "update"]);
    expect(err).toContain(why);
    expect(exit).toBe(why.includes("https") ? 2 : 7);
    expect(out).toBe("");
    expect(await version(path)).toBe("1.0.0");
    expect(beside(path)).toEqual(["ralph"]);
  });

  test("refuses an interrupted download", async () => {
    const broken = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data: (socket) => {
          socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe beginning");
        },
      },
    });
    files = release({
      change: (asset) => Object.assign(asset, { url: `http://127.0.0.1:${broken.port}/`, size: 100 }),
    });
    const path = installed();
    const { exit, err } = await run([path, "update"]);
    broken.stop(true);
    expect(exit).toBe(7);
    expect(err).toMatch(/could not be downloaded|is cut off/);
    expect(await version(path)).toBe("1.0.0");
  });

  test.each([
    ["http://mirror.example.invalid/ralph", 2, "only https is safe"],
    ["ralph.example", 2, "is not an address"],
    ["", 7, "does not know where its releases are"],
  ])("reports what is wrong with the source %p", async (url, code, why) => {
    const { exit, err } = await run([installed(), "update"], { RALPH_UPDATE_URL: url });
    expect(exit).toBe(code);
    expect(err).toContain(why);
  });

  test("without a built-in key compares versions but does not install", async () => {
    const path = installed(binary);
    files = release({ version: "999.0.0" });
    expect((await run([path, "update", "--check"])).out).toContain("ralph 999.0.0 is available");
    const { exit, err } = await run([path, "update"]);
    expect(exit).toBe(7);
    expect(err).toContain("was built without a key");
    expect(err).not.toContain("downloading");
  });

  test("keeps the program's permissions, whatever the umask", async () => {
    files = release();
    const path = join(mkdtempSync(join(folder, "bin-")), "ralph");
    copyFileSync(old, path);
    chmodSync(path, 0o755);
    expect(await run(["sh", "-c", 'umask 077; exec "$@"', "sh", path, "update"])).toMatchObject({ exit: 0 });
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  test("prints a release's notes without terminal escapes", async () => {
    files = release({ notes: "### \u001b]0;title\u0007Added\r\n\u001b[2J- All\u009b31m is new." });
    expect((await run([installed(), "update", "--check"])).out).toEndWith("\n\n### Added\n- All is new.\n");
  });

  test("succeeds twice at the same time", async () => {
    files = release();
    const path = installed();
    const ends = await Promise.all([run([path, "update"]), run([path, "update"])]);
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(await version(path)).toBe("1.1.0");
    expect(beside(path)).toEqual(["ralph"]);
  });

  test("keeps the old program if the disk is full", async () => {
    files = release({ program: new Uint8Array(4_000_000).fill(35) });
    const path = installed();
    const { exit, err } = await run(["sh", "-c", 'ulimit -f 1000; exec "$@"', "sh", path, "update"]);
    expect(err).toContain("could not be replaced");
    expect(exit).toBe(7);
    expect(await version(path)).toBe("1.0.0");
    expect(beside(path)).toEqual(["ralph"]);
  });

  test("through a link replaces the program behind it, and leaves the link", async () => {
    files = release();
    const path = installed();
    const link = join(mkdtempSync(join(folder, "link-")), "ralph");
    symlinkSync(path, link);
    expect(await run([link, "update"])).toMatchObject({ exit: 0 });
    expect([await version(path), readlinkSync(link), beside(path), beside(link)]).toEqual([
      "1.1.0",
      path,
      ["ralph"],
      ["ralph"],
    ]);
  });

  test.skipIf(!canInject)("killed before any of its changes leaves a whole program", async () => {
    files = release();
    const counted = installed();
    const points = await pointsUnder((wrapper) => run([...wrapper, counted, "update"]));
    expect(points.filter(({ call }) => /rename|link/.test(call)).length).toBeGreaterThan(1);
    for (const point of points) {
      const path = installed();
      await run([...strikingAt(point, "signal=SIGKILL"), path, "update"]);
      const left = await version(path);
      expect({ point, left }).toEqual({ point, left: expect.stringMatching(/^1\.[01]\.0$/) });
      // The new program of this test is a script, which tidies nothing.
      if (left === "1.1.0") continue;
      expect(await run([path, "update"])).toMatchObject({ exit: 0 });
      expect({ point, version: await version(path), beside: beside(path) }).toEqual({
        point,
        version: "1.1.0",
        beside: ["ralph"],
      });
    }
  });

  test.skipIf(!canInject)(
    "that meets a failing disk at any of its changes leaves a whole program and says why",
    async () => {
      files = release();
      const counted = installed();
      const points = await pointsUnder((wrapper) => run([...wrapper, counted, "update"]));
      let refused = 0;
      for (const [n, point] of points.filter(({ call }) => !["vfork", "unlink"].includes(call)).entries()) {
        const { code, says } = faultOf(n);
        const path = installed();
        const { exit, err } = await run([...strikingAt(point, `error=${code}`), path, "update"]);
        if (exit !== 0) refused += 1;
        if (exit !== 0) expect({ point, code, exit, err }).toMatchObject({ exit: 7, err: expect.stringMatching(says) });
        expect({ point, code, version: await version(path) }).toEqual({
          point,
          code,
          version: exit === 0 ? "1.1.0" : "1.0.0",
        });
      }
      expect(refused).toBeGreaterThan(0);
    },
  );

  const isRoot = process.getuid?.() === 0;
  test.skipIf(isRoot && Bun.which("setpriv") === null)(
    "a folder that may not be written to leaves the old program",
    async () => {
      files = release();
      const path = installed();
      chmodSync(folder, 0o755);
      chmodSync(dirname(path), 0o555);
      const as = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
      if (isRoot) chownSync(dirname(path), 0, 0);
      const { exit, err } = await run([...as, path, "update"], {}, "/");
      chmodSync(dirname(path), 0o755);
      expect(err).toContain("could not be replaced: permission is denied (EACCES)");
      expect(exit).toBe(7);
      expect(await version(path)).toBe("1.0.0");
    },
  );
});

describe.skipIf(TARGET === "" || process.platform === "win32")("the update check beside a run", () => {
  const NOTICE =
    "ralph 1.1.0 is available; this is 1.0.0.\n  Get it: ralph update\n  Turn this notice off: RALPH_UPDATE_CHECK=false\n";

  const newProject = () => mkdtempSync(join(folder, "project-"));

  /** A run of one short iteration with the scripted agent. */
  async function runOnce(env: Record<string, string>, flags: string[] = [], project = newProject()): Promise<Ended> {
    const step = { text: "done", delay_ms: 150, status: { STATUS: "COMPLETE", EXIT_SIGNAL: "true" } };
    const demo = join(project, "script.json");
    await Bun.write(demo, JSON.stringify({ iterations: [step] }));
    const argv = [installed(), "run", "--task", "x", "--driver", "demo", "--max-iterations", "1", ...flags];
    return run(argv, { RALPH_DEMO_SCRIPT: demo, HOME: project, ...env }, project);
  }

  test("reports after the work, on stderr", async () => {
    files = release();
    const { out, err } = await runOnce({ RALPH_UPDATE_CHECK: "always" });
    expect(err.endsWith(NOTICE)).toBe(true);
    expect(out).not.toContain("1.1.0");
  });

  test.each([
    ["without a terminal", {}, []],
    ["if it is switched off", { RALPH_UPDATE_CHECK: "false" }, []],
    ["with the flag", { RALPH_UPDATE_CHECK: "always" }, ["--no-update-check"]],
  ] as [string, Record<string, string>, string[]][])("is not made %s", async (_, env, flags) => {
    files = release();
    asked.length = 0;
    const { err } = await runOnce(env, flags);
    expect(asked).toEqual([]);
    expect(err).not.toContain("1.1.0");
  });

  test.each([
    ["that never answers", () => new Promise<Response>(() => {})],
    ["that answers nonsense", () => new Response("<html>")],
    ["that fails", () => new Response("", { status: 500 })],
  ])("is silent with a server %s", async (_, latest) => {
    files = { "latest.json": latest };
    const { err, exit } = await runOnce({ RALPH_UPDATE_CHECK: "always" });
    expect(exit).toBe(4);
    expect(err).not.toContain("latest.json");
  });

  test("does not delay the end: a late answer is not waited for", async () => {
    const project = newProject();
    const journal = (): RalphEvent[] =>
      [...new Bun.Glob(".ralph/runs/*/events.jsonl").scanSync({ cwd: project, dot: true })]
        .flatMap((path) => wholeLines(join(project, path)))
        .map((line) => JSON.parse(line));
    const latest = release()["latest.json"];
    const answersLate = async () => {
      await until("the end of the work", () => journal().some(({ type }) => type === "run_finished"));
      const pid = journal().find((event) => event.type === "run_started")?.pid ?? 0;
      // A ralph that waited for this answer would get it and print it.
      await until("the end of ralph", () => !lives(pid), 1500).catch(() => {});
      return new Response(latest as string);
    };
    files = { "latest.json": answersLate };
    const { err, exit } = await runOnce({ RALPH_UPDATE_CHECK: "always" }, [], project);
    expect([exit, err]).toEqual([4, ""]);
  });
});
