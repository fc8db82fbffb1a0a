import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ControlCommand } from "../../../src/core/control-command.ts";
import { listenForControl, sendControl, socketPaths } from "../../../src/effects/journal/control-channel.ts";
import type { ControlListener } from "../../../src/effects/ports.ts";
import { until } from "../../e2e/support/until.ts";
import { program } from "../process/run-agent.ts";

let folder = "";
let heard: ControlCommand[] = [];
let warnings: string[] = [];
let close = () => {};
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-control-")));
  heard = [];
  warnings = [];
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const MARKER = `run-of-${process.pid}`;
const say = (text: string): ControlCommand => ({ command: "say", text });

/** Listens as the run "r" of the folder. */
function listen(more: Partial<ControlListener> = {}, placesOf = socketPaths): void {
  const listener = {
    project: folder,
    run: "r",
    agents: () => ({ markers: [MARKER], groups: [] }),
    onCommand: (command: ControlCommand) => heard.push(command) > 0,
    onWarning: (text: string) => void warnings.push(text),
    isOver: () => false,
    ...more,
  };
  close = listenForControl(listener, placesOf);
}

/** Another process sends a command; what it prints. */
async function from(how: string, env: Record<string, string> = {}, file = ""): Promise<unknown> {
  const { argv } = program("steer.ts", folder, "r", how, ...(file === "" ? [] : [file]));
  const child = Bun.spawn(argv, { env: { PATH: process.env.PATH ?? "", ...env }, stdout: "pipe" });
  const text = await new Response(child.stdout).text();
  return text === "" ? null : JSON.parse(text);
}

const socket = () => socketPaths(folder).find(existsSync) ?? "";

test("commands are taken once, in order, and leave no file", async () => {
  listen();
  for (const text of ["a", "b", "c"]) expect(await sendControl(folder, "r", say(text), 5000)).toBe("taken");
  expect(heard).toEqual([say("a"), say("b"), say("c")]);
  if (process.platform === "win32") return;
  const name = socket().split("/").at(-1) ?? "";
  const ours = () => readdirSync(dirname(socket())).filter((one) => one.startsWith(name));
  await until("only the socket is left", () => ours().length === 1);
});

test.skipIf(process.platform === "win32")("a run removes its own socket, and those of killed runs", async () => {
  listen();
  const stale = await killedRunsSocket();
  close();
  expect(socket()).toBe("");
  listen();
  await until("the stale one is gone", () => !existsSync(stale));
  expect(await sendControl(folder, "r", say("x"), 5000)).toBe("taken");
});

test("a command to another run, or to one that is over, is not taken", async () => {
  listen();
  expect(await sendControl(folder, "earlier", say("x"), 5000)).toBe("gone");
  close();
  listen({ isOver: () => true });
  expect(await sendControl(folder, "r", say("x"), 5000)).toBe("gone");
  expect(heard).toEqual([]);
});

test("a command that the run could not record is not taken", async () => {
  listen({ onCommand: () => false });
  expect(await sendControl(folder, "r", say("x"), 5000)).toBe("gone");
});

test("nobody listens, or no longer: the command is gone", async () => {
  expect(await sendControl(folder, "r", say("x"), 5000)).toBe("gone");
  listen();
  close();
  expect(await sendControl(folder, "r", say("x"), 5000)).toBe("gone");
});

test("what an agent puts into the project's folder for commands is not read", async () => {
  listen();
  mkdirSync(join(folder, ".ralph", "control"), { recursive: true });
  const file = join(folder, ".ralph", "control", "000000000000002-1-ab.json");
  writeFileSync(file, JSON.stringify({ run: "r", pid: process.pid, command: say("forged") }));
  expect(await sendControl(folder, "r", say("own"), 5000)).toBe("taken");
  expect(heard).toEqual([say("own")]);
});

test.skipIf(process.platform === "win32")(
  "a run leaves the socket of one that takes a killed run's place while it looks",
  async () => {
    listen();
    const stale = await killedRunsSocket();
    close();
    listen();
    rmSync(stale);
    const next = createServer((connection) => connection.end("here")).listen(stale);
    expect(await greeting(socket())).toContain("prove");
    expect(await greeting(stale)).toBe("here");
    next.close();
  },
);

/** Where a killed run listened; nobody does any more. */
async function killedRunsSocket(): Promise<string> {
  const stale = `${socket().slice(0, -"0.sock".length)}x.sock`;
  const listening = `require("node:net").createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 9))`;
  await Bun.spawn([process.execPath, "-e", listening]).exited;
  expect(existsSync(stale)).toBe(true);
  return stale;
}

test.skipIf(process.platform === "win32")("the socket's folder is this user's alone", () => {
  listen();
  expect(statSync(dirname(socket())).mode & 0o777).toBe(0o700);
});

test.skipIf(process.platform === "win32")("a socket that somebody removed is made again, and told once", async () => {
  listen();
  for (let nth = 0; nth < 2; nth += 1) {
    rmSync(socket());
    await until("another socket", () => existsSync(socket()));
  }
  expect(await sendControl(folder, "r", say("x"), 5000)).toBe("taken");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("Somebody removed");
});

/** What whoever connects there is told first; null if nobody listens. */
function greeting(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const connection = createConnection(path);
    connection.on("data", (chunk) => {
      resolve(String(chunk));
      connection.destroy();
    });
    connection.on("error", () => resolve(null));
  });
}

test.skipIf(process.platform === "win32")(
  "a run whose folder for the socket is gone listens in the next one",
  async () => {
    const [session, lasting] = ["session", "lasting"].map((name) => join(folder, name)) as [string, string];
    mkdirSync(session, { mode: 0o700 });
    const places = () =>
      [session, lasting].filter((dir) => dir === lasting || existsSync(dir)).map((dir) => join(dir, "s"));
    listen({}, places);
    expect(await greeting(join(session, "s"))).toContain("prove");
    rmSync(session, { recursive: true });
    await until("a socket elsewhere", () => existsSync(join(lasting, "s")));
    expect(await greeting(join(lasting, "s"))).toContain("prove");
    expect(warnings).toEqual([expect.stringContaining(`it was made again as ${join(lasting, "s")}.`)]);
    close();
    expect(readdirSync(lasting)).toEqual([]);
  },
);

test.skipIf(process.platform === "win32")(
  "a run that finds no place for its socket any more goes on, and says so once",
  async () => {
    const place = join(folder, "place");
    listen({}, () => [join(place, "s")]);
    await until("a socket", () => existsSync(join(place, "s")));
    rmSync(place, { recursive: true });
    writeFileSync(place, "");
    await until("it is told", () => warnings.length > 0);
    rmSync(place);
    await until("another socket", () => existsSync(join(place, "s")));
    expect(await greeting(join(place, "s"))).toContain("prove");
    expect(warnings).toEqual([
      expect.stringContaining("This run can't be steered from other terminals:"),
      expect.stringContaining("Somebody removed"),
    ]);
  },
);

test.skipIf(process.platform !== "linux")("a process that an agent did not start is heard", async () => {
  listen();
  expect(await from("honest")).toBe("taken");
  expect(await from("honest", { RALPH_RUN: "another-run" })).toBe("taken");
  expect(warnings).toEqual([]);
});

test.skipIf(process.platform !== "linux")("a process with the agent's marker is refused, and told once", async () => {
  listen();
  for (let nth = 0; nth < 2; nth += 1)
    expect(await from("honest", { RALPH_RUN: MARKER })).toEqual({ refused: "it belongs to the agent" });
  expect(heard).toEqual([]);
  expect(warnings).toEqual(["Refused the command say that a process sent to this run: it belongs to the agent."]);
});

test.skipIf(process.platform !== "linux")("a process of the agent's group is refused without the marker", async () => {
  const group = Number(readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ")[2]);
  listen({ agents: () => ({ markers: [], groups: [group] }) });
  expect(await from("honest")).toEqual({ refused: "it belongs to the agent" });
});

test.skipIf(process.platform !== "linux")("a process that says it is another one is refused", async () => {
  listen();
  expect(await from(String(process.pid))).toEqual({
    taken: false,
    refused: "it is not the process that it says it is",
  });
  expect(heard).toEqual([]);
});

test.skipIf(process.platform !== "linux")("a daemon without environment, group and parent is refused", async () => {
  listen();
  const file = join(folder, "answer");
  await from("daemon", { RALPH_RUN: MARKER }, file);
  await until("its answer", () => existsSync(file) && readFileSync(file, "utf8") !== "");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    refused: "it began after the run, and whoever started it is gone",
  });
  expect(heard).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "rubbish is answered by the end of the connection, and the run goes on",
  async () => {
    listen();
    for (const rubbish of [
      "{ torn\n",
      "null\n",
      `${"x".repeat(100_000)}`,
      '{"run":"r","pid":-1,"command":{"command":"stop"}}\n',
    ]) {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const connection = createConnection(socket());
      connection.on("close", () => resolve());
      connection.on("error", () => resolve());
      connection.resume();
      connection.write(rubbish);
      await ended;
    }
    expect(await sendControl(folder, "r", say("x"), 5000)).toBe("taken");
    expect(heard).toEqual([say("x")]);
  },
);

test.skipIf(process.platform === "win32")("a folder in the place of a sender's proof ends no run", async () => {
  listen();
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const connection = createConnection(socket());
  connection.on("data", (chunk) => {
    const { prove } = JSON.parse(String(chunk).split("\n")[0] ?? "") as { prove?: string };
    if (prove === undefined) return;
    mkdirSync(prove);
    connection.write(`${JSON.stringify({ run: "r", pid: process.pid, command: say("x") })}\n`);
    connection.on("close", () => resolve(prove));
  });
  rmSync(await ended, { recursive: true });
  expect(heard).toEqual([]);
  expect(await sendControl(folder, "r", say("y"), 5000)).toBe("taken");
});
