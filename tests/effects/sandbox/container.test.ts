/** A container for the calls of a run, with an engine that is a small script. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "../../../src/effects/host.ts";
import type { SandboxEntry } from "../../../src/effects/ports.ts";
import { createContainer } from "../../../src/effects/sandbox/container.ts";
import { lives } from "../../e2e/support/harness.ts";
import { until } from "../../e2e/support/until.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-container-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const engine = join(folder, "engine");
/** A container is a process: `run` starts it, and `exec` gets in while it lives and has room for one more process. Nothing answers while the engine is away. */
writeFileSync(
  engine,
  `#!/bin/sh
cd '${folder}'
echo "$1" >> asked
[ -e away ] && { echo "no engine" >&2; exit 1; }
case $1 in
  run) [ -e refuses ] && { echo "no room" >&2; exit 1; }; echo $$ > pid; echo; exec cat >/dev/null;;
  exec) [ ! -e full ] && kill -0 "$(cat pid)" && echo;;
esac
`,
  { mode: 0o755 },
);

const NEEDS = { domains: [], state: [], fixed: [], env: [] };
const ROOM = { room: join(folder, "inside"), names: [], own: [] };
const ENTRY: SandboxEntry = {
  run: "0001",
  driver: {},
  command: { argv: ["agent"], stdin: "" },
  cwd: folder,
  env: {},
  fixed: [],
  keep: join(folder, "kept"),
  signal: new AbortController().signal,
};

const made = () =>
  createContainer({
    engine,
    settings: {
      SANDBOX: "podman",
      SANDBOX_ALLOW_DOMAINS: ["none"],
      SANDBOX_ENV: [],
      SANDBOX_IMAGE: "image",
      SANDBOX_MEMORY: "1g",
      SANDBOX_CPUS: "1",
    },
    host: createHost(folder, { PATH: process.env.PATH ?? "" }),
    grounds: { project: folder, home: "/h", repository: null, obeyed: [], work: [], path: "" },
    network: "none",
    proxy: null,
    agents: [],
    needs: [NEEDS],
  });

const nameOf = ({ command }: { command: { argv: readonly string[] } }) =>
  command.argv.find((word) => word.startsWith("ralph-"));
const asked = () => readFileSync(join(folder, "asked"), "utf8").trim().split("\n");

async function endContainer(): Promise<void> {
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  process.kill(pid, "SIGKILL");
  await until("it is gone", () => !lives(pid));
}

beforeEach(() => {
  for (const name of ["asked", "away", "refuses", "full", "pid"]) rmSync(join(folder, name), { force: true });
});

// The engine is a script for a shell.
describe.skipIf(process.platform === "win32")("a container", () => {
  test("is one for all calls while it lives, and another once it ended", async () => {
    const container = made();
    const first = await container.enter(ENTRY, NEEDS, ROOM);
    await first.leave();
    const second = await container.enter(ENTRY, NEEDS, ROOM);
    expect(nameOf(second)).toBe(nameOf(first));
    await endContainer();
    await second.leave();
    const third = await container.enter(ENTRY, NEEDS, ROOM);
    expect(nameOf(third)).not.toBe(nameOf(first));
    await third.leave();
    await container.close();
    expect(asked()).toEqual(["ps", "run", "exec", "exec", "rm", "ps", "run", "exec", "rm"]);
  });

  test("a call while the engine is away goes to the container that ended, and the next one to another", async () => {
    const container = made();
    const first = await container.enter(ENTRY, NEEDS, ROOM);
    await endContainer();
    await first.leave();
    writeFileSync(join(folder, "away"), "");
    const second = await container.enter(ENTRY, NEEDS, ROOM);
    expect(nameOf(second)).toBe(nameOf(first));
    await second.leave();
    rmSync(join(folder, "away"));
    const third = await container.enter(ENTRY, NEEDS, ROOM);
    expect(nameOf(third)).not.toBe(nameOf(first));
    await container.close();
  });

  test("one in which nobody can end what a call left is removed, and the next call has another", async () => {
    const container = made();
    const first = await container.enter(ENTRY, NEEDS, ROOM);
    writeFileSync(join(folder, "full"), "");
    await first.leave();
    expect(asked()).toEqual(["ps", "run", "exec", "rm"]);
    rmSync(join(folder, "full"));
    const second = await container.enter(ENTRY, NEEDS, ROOM);
    expect(nameOf(second)).not.toBe(nameOf(first));
    await container.close();
  });

  test("one that does not start is told, the first and another", async () => {
    writeFileSync(join(folder, "refuses"), "");
    const container = made();
    await expect(container.enter(ENTRY, NEEDS, ROOM)).rejects.toThrow("The container does not start: no room");
    rmSync(join(folder, "refuses"));
    const first = await container.enter(ENTRY, NEEDS, ROOM);
    await endContainer();
    await first.leave();
    writeFileSync(join(folder, "refuses"), "");
    await expect(container.enter(ENTRY, NEEDS, ROOM)).rejects.toThrow("The container does not start: no room");
  });
});
