import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { type ControlCommand, formatControl, parseControl } from "../../core/control-command.ts";
import { isRecord } from "../../core/json-value.ts";
import { codeOf } from "../../core/system-error.ts";
import { openRegular } from "../files/regular-file.ts";
import { tryRemove } from "../files/try-remove.ts";
import { mayUseNetwork } from "../network/net-permission.ts";
import type { ControlListener } from "../ports.ts";
import { kinship } from "../process-tree/ancestry.ts";
import { holdsFile } from "../process-tree/holds-file.ts";

/** A socket that somebody removed is made again within this time. */
const LOOK_MS = 1000;
const MAX_LINE = 64 * 1024;
const MAX_CONNECTIONS = 32;
/** A sender that says nothing is left. */
const PATIENCE_MS = 10_000;

/** What became of a command: `gone` if nobody listens (any more), `silent` if the run did not answer in time. */
export type Answer = "taken" | "gone" | "silent" | { refused: string };

/**
 * Listens for commands to one run, on a socket in a folder of this user outside the project. Each sender proves which process
 * it is by opening a file whose name it is told; an agent's processes are refused (product.md "Commands from other terminals").
 * @param placesOf where it may listen, the likeliest first
 * @returns a function that stops listening
 * @throws the file system's error if there is no folder for the socket
 */
export function listenForControl(listener: ControlListener, placesOf = socketPaths): () => void {
  const told = new Set<string>();
  const warn = (text: string) => {
    if (!told.has(text)) listener.onWarning(text);
    told.add(text);
  };
  if (!mayUseNetwork()) {
    warn("This run can't be steered from other terminals: Deno was started without --allow-net.");
    return () => {};
  }
  let path = usableSocket(placesOf(listener.project));
  let server = open(path, listener, warn);
  /** Elsewhere if need be: a user's folder below /run goes with the user's last login, and the run stays. */
  const listenAgain = () => {
    const lost = path;
    server.close();
    try {
      path = usableSocket(placesOf(listener.project));
      server = open(path, listener, warn);
    } catch (error) {
      warn(`This run can't be steered from other terminals: ${(error as Error).message}`);
      return;
    }
    const place = path === lost ? "" : ` as ${path}`;
    warn(`Somebody removed ${lost}, over which the run hears commands; it was made again${place}.`);
  };
  const timer = setInterval(() => {
    if (process.platform !== "win32" && !existsSync(path)) listenAgain();
  }, LOOK_MS);
  timer.unref();
  sweep(path);
  return () => {
    clearInterval(timer);
    server.close();
    if (process.platform !== "win32") rmSync(path, { force: true });
  };
}

/**
 * Sends a command to a run of this project and waits for what becomes of it.
 * @param timeoutMs null: as long as the run lives
 */
export async function sendControl(
  project: string,
  run: string,
  command: ControlCommand,
  timeoutMs: number | null,
): Promise<Answer> {
  for (const path of socketPaths(project)) {
    if (process.platform !== "win32" && !existsSync(path)) continue;
    const answer = await send(path, formatControl({ run, pid: process.pid, command }), timeoutMs);
    if (answer !== "gone") return answer;
  }
  return "gone";
}

function open(path: string, listener: ControlListener, warn: (text: string) => void): Server {
  const server = createServer((socket) => {
    socket.unref();
    socket.on("error", () => socket.destroy());
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    const proof = `${path}.${randomUUID()}`;
    socket.write(`${JSON.stringify({ prove: proof })}\n`);
    onLine(socket, (line) => {
      void answerTo(line, proof, listener, warn).then((answer) => {
        tryRemove(proof);
        socket.end(`${JSON.stringify(answer)}\n`);
      });
    });
    // What a sender put there instead of a file stays: it must not end the run.
    socket.on("close", () => tryRemove(proof));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("error", (error) => warn(`This run can't be steered from other terminals: ${error.message}`));
  server.listen(path);
  server.unref();
  return server;
}

async function answerTo(
  line: string,
  proof: string,
  { run, agents, onCommand, isOver }: ControlListener,
  warn: (text: string) => void,
): Promise<{ taken: boolean; refused?: string }> {
  const sent = parseControl(line, run);
  if (sent === null || isOver()) return { taken: false };
  const { pid, command } = sent;
  const isProven = await holdsFile(pid, proof);
  const fault = isProven === false ? "it is not the process that it says it is" : await kinship(pid, agents());
  if (isOver()) return { taken: false };
  if (fault === null) return { taken: onCommand(command) };
  warn(`Refused the command ${command.command} that a process sent to this run: ${fault}.`);
  return { taken: false, refused: fault };
}

function send(path: string, message: string, timeoutMs: number | null): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    let proof: { path: string; fd: number } | null = null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const settle = (answer: Answer) => {
      if (timer !== null) clearTimeout(timer);
      if (proof !== null) {
        closeSync(proof.fd);
        rmSync(proof.path, { force: true });
      }
      proof = null;
      socket.destroy();
      resolve(answer);
    };
    if (timeoutMs !== null) timer = setTimeout(() => settle("silent"), timeoutMs);
    socket.on("error", () => settle("gone"));
    socket.on("close", () => settle("gone"));
    onLine(socket, (line) => {
      const told = fieldsOf(line);
      if (typeof told.prove === "string") {
        proof = process.platform === "win32" ? null : prove(told.prove, path);
        socket.write(message);
      } else if (typeof told.refused === "string") settle({ refused: told.refused });
      else settle(told.taken === true ? "taken" : "gone");
    });
  });
}

/** Opens the file that a run asks for, and no other: the run may be somebody else who listens there. */
function prove(asked: string, socket: string): { path: string; fd: number } | null {
  if (!asked.startsWith(`${socket}.`) || asked.includes("/", socket.length)) return null;
  return { path: asked, fd: openRegular(asked, "create", 0o600) };
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(line);
    return isRecord(found) ? found : {};
  } catch {
    return {}; // not of ralph's making
  }
}

/** Calls back with each line; ends a connection whose line is too long. */
function onLine(socket: Socket, call: (line: string) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) socket.destroy();
    for (const line of lines) call(line);
  });
}

/**
 * Where a run of this project may listen, the likeliest first. They don't follow from the environment, which differs between a
 * run and the terminal that steers it.
 */
export function socketPaths(project: string): string[] {
  const name = createHash("sha256").update(project).digest("hex").slice(0, 32);
  if (process.platform === "win32") return [`\\\\.\\pipe\\ralph-${name}`];
  const uid = process.getuid?.() ?? 0;
  const folders = [
    ...(isOwnFolder(statOf(`/run/user/${uid}`), uid) ? [`/run/user/${uid}/ralph`] : []),
    `${realpathSync("/tmp")}/ralph-${uid}`,
  ];
  return folders.map((folder) => join(folder, `${name}.sock`));
}

/** A path to listen at, free, in a folder that nobody else may enter. */
function usableSocket(paths: readonly string[]): string {
  if (process.platform === "win32") return paths[0] ?? "";
  const faults: unknown[] = [];
  for (const path of paths) {
    try {
      prepareFolder(dirname(path));
      rmSync(path, { force: true });
      return path;
    } catch (error) {
      faults.push(error);
    }
  }
  throw faults.at(-1);
}

function prepareFolder(dir: string): void {
  const uid = process.getuid?.() ?? 0;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stat = lstatSync(dir);
  if (!isOwnFolder(stat, uid)) throw new Error(`${dir} is not a folder of this user`);
  if ((stat.mode & 0o077) !== 0) chmodSync(dir, 0o700);
}

/** Removes the sockets of killed runs, at which nobody listens. */
function sweep(own: string): void {
  if (process.platform === "win32") return;
  const dir = dirname(own);
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (!name.endsWith(".sock") || path === own) continue;
    const seen = socketIdentity(path);
    const probe = createConnection(path, () => probe.destroy());
    probe.on("error", (error) => {
      // The project's next run may have begun meanwhile, and listen at the same path.
      if (codeOf(error) === "ECONNREFUSED" && socketIdentity(path) === seen) rmSync(path, { force: true });
    });
    probe.unref();
  }
}

/** A number that is given away again tells nothing without the time. */
function socketIdentity(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return `${stat?.ino} ${stat?.ctimeMs}`;
}

function isOwnFolder(stat: Stats | undefined, uid: number): boolean {
  return stat?.isDirectory() === true && stat.uid === uid;
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
