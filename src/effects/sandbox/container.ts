import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { definedOnly } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { SandboxNetwork } from "../../core/sandbox/network.ts";
import { isWithin, type Mount, sandboxMounts } from "../../core/sandbox/policy.ts";
import { ownVariable, sandboxEnv } from "../../core/sandbox/sandbox-env.ts";
import { singleQuoted } from "../../core/text/shell-words.ts";
import type { Host, SandboxNeeds } from "../../driver.ts";
import { MAX_SETTINGS_BYTES, readRegularText } from "../files/regular-file.ts";
import { sha256Of } from "../files/sha256.ts";
import type { SandboxEntry, SandboxedCall } from "../ports.ts";
import { PROXY_PORT, PROXY_SOCKET, WITH_PROXY } from "./inside.ts";
import { lastWords } from "./last-words.ts";
import type { SandboxFault } from "./os-fault.ts";
import { type Grounds, kindOf, type Room } from "./place.ts";
import type { HostProxy } from "./proxy.ts";
import type { SandboxedAgent, SandboxSettings } from "./sandbox.ts";

/** So many processes at once: builds stay far below, a fork bomb ends there. */
const PIDS = 2048;
const TMP_SIZE = "2g";
const ENGINE_MS = 60_000;
/** What a call goes into that was stopped before it had one: nowhere, if it were started all the same. */
const NO_CONTAINER = "stopped";
const LABEL = "dev.ralph.project";

/** The first process: it says that it is there, reads ralph's pipe to its end and collects orphans. The end of a call kills all but itself. */
const KEEPER = "echo; until cat >/dev/null; do [ $? -gt 128 ] || exit 1; done";

/** Variables that programs need, of whatever agent. */
const COMMON_ENV = /^(?:LANG|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|CI|GIT_(?:AUTHOR|COMMITTER)_\w+|IS_SANDBOX|TMPDIR)$/;

export type ContainerCheck = {
  engine: string;
  settings: SandboxSettings;
  host: Host;
  network: SandboxNetwork;
  agents: readonly SandboxedAgent[];
  project: string;
};

/** What keeps a container from working here; null if nothing does. */
export async function containerFault(check: ContainerCheck): Promise<SandboxFault | null> {
  const { engine, settings, host, network, agents, project } = check;
  if (host.platform !== "linux" && typeof network !== "string")
    return {
      what: `A list of hosts cannot be held with ${engine} on this system.`,
      hint: "SANDBOX_ALLOW_DOMAINS=* gives the container the network, none gives it none.",
    };
  if (host.which(engine) === null)
    return { what: `${engine} is not installed.`, hint: `Install ${engine}, or take --sandbox=os.` };
  const image = imageOf(settings, agents);
  const inspected = await host.run([engine, "image", "inspect", image], ENGINE_MS);
  if (inspected.exit_code === 0) return null;
  const answer = inspected.exit_code === null ? inspected : await host.run([engine, "version"], ENGINE_MS);
  if (answer.exit_code !== 0)
    return { what: `${engine} does not answer: ${lastWords(answer)}`, hint: `Look at it with: ${engine} info` };
  const recipe = recipeOf(agents, project);
  return {
    what: `The image ${image} is not here.`,
    hint:
      settings.SANDBOX_IMAGE === null
        ? `Make it with: printf '%s\\n' ${recipe.map(singleQuoted).join(" ")} | ${engine} build -t ${image} -`
        : `Fetch it with: ${engine} pull ${image}`,
  };
}

function imageOf({ SANDBOX_IMAGE }: SandboxSettings, agents: readonly SandboxedAgent[]): string {
  return SANDBOX_IMAGE ?? `ralph-sandbox-${agents.map(({ driver }) => driver.name).join("-")}`;
}

/** The lines of a small image with the agents, on that of the project's dev container, if it names one. */
function recipeOf(agents: readonly SandboxedAgent[], project: string): string[] {
  const installs = agents.flatMap(({ driver }) => driver.installCommand ?? []);
  const base = devContainerImage(project);
  return [
    `FROM ${base ?? "docker.io/library/node:22-bookworm-slim"}`,
    ...(base === null ? [] : ["USER root"]),
    "RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates curl ripgrep socat && rm -rf /var/lib/apt/lists/*",
    ...installs.map((install) => `RUN ${install}`),
  ];
}

function devContainerImage(project: string): string | null {
  for (const name of [".devcontainer/devcontainer.json", ".devcontainer.json"]) {
    try {
      const found = /^\s*"image"\s*:\s*"([\w./:@-]+)"/m.exec(
        readRegularText(join(project, name), MAX_SETTINGS_BYTES),
      )?.[1];
      if (found !== undefined) return found;
    } catch {
      // The project has none.
    }
  }
  return null;
}

export type ContainerOptions = {
  engine: string;
  settings: SandboxSettings;
  host: Host;
  grounds: Grounds;
  network: SandboxNetwork;
  proxy: HostProxy | null;
  agents: readonly SandboxedAgent[];
  needs: readonly SandboxNeeds[];
};

/**
 * A container for all calls of a run. It lives as long as a pipe from ralph, so it ends however ralph ends. Where somebody removed it, or its
 * engine ended it, the next call has another.
 */
export function createContainer(options: ContainerOptions) {
  const { engine, settings, host, grounds, proxy, agents } = options;
  let running: { name: string; client: ChildProcess } | null = null;
  let last: string | null = null;
  const project = sha256Of(grounds.project).slice(0, 16);
  const ask = (...words: string[]) => host.run([engine, ...words], ENGINE_MS);

  /** Only the holder of the project's lock starts one, so what another run left is nobody's. */
  async function start(entry: SandboxEntry, room: Room): Promise<string> {
    const left = await ask("ps", "-aq", "--filter", `label=${LABEL}=${project}`);
    const ids = left.stdout.split(/\s+/).filter((id) => id !== "");
    if (ids.length > 0) await ask("rm", "-f", ...ids);
    const name = `ralph-${entry.run}-${randomBytes(3).toString("hex")}`.toLowerCase();
    const words = containerWords(options, {
      name,
      project,
      image: imageOf(settings, agents),
      fixed: entry.fixed,
      room,
    });
    // Without a marker: the end of a call must not end it.
    const { RALPH_RUN: _, ...env } = definedOnly(host.env);
    const client = spawn(engine, words, { env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    let said = "";
    client.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-2000);
    });
    client.stdin.on("error", () => {});
    running = { name, client };
    if (await isUp(client)) {
      last = name;
      return name;
    }
    // One that comes up late ends with the pipe.
    client.stdin.end();
    running = null;
    const how = lastWords({ exit_code: client.exitCode, stderr: said });
    throw new RalphError("environment", `The container does not start: ${how}`, {
      hint: `Try it by itself: ${engine} run --rm ${imageOf(settings, agents)} true`,
    });
  }

  async function end(): Promise<void> {
    if (running === null) return;
    running.client.stdin?.end();
    await ask("rm", "-f", running.name);
    running = null;
  }

  /** The name of the one that a call goes into: another, if that of the call before has ended. */
  async function inUse(entry: SandboxEntry, room: Room): Promise<string> {
    if (running !== null && running.client.exitCode === null && running.client.signalCode === null) return running.name;
    const gone = last;
    await end();
    try {
      return await start(entry, room);
    } catch (error) {
      if (gone === null || (await ask("version")).exit_code === 0) throw error;
      // The engine is away, as where it is updated: the call fails in its words, and the next one tries again.
      return gone;
    }
  }

  return {
    async enter(entry: SandboxEntry, needs: SandboxNeeds, room: Room): Promise<SandboxedCall> {
      const found = await unlessAborted(inUse(entry, room), entry.signal);
      const name = found ?? NO_CONTAINER;
      const isOwn = ownVariable(needs.env, settings.SANDBOX_ENV);
      const env: Record<string, string> = {
        ...sandboxEnv(entry.env, isOwn, false),
        ...entry.command.env,
        ...proxy?.env(PROXY_PORT),
      };
      const isWanted = (key: string) =>
        COMMON_ENV.test(key) ||
        isOwn(key) ||
        Object.hasOwn(entry.command.env ?? {}, key) ||
        Object.hasOwn(proxy?.env(PROXY_PORT) ?? {}, key);
      // By name: the values stand neither in a file nor in the list of processes.
      const names = [...Object.keys(env).filter(isWanted), "RALPH_RUN"];
      const wrapper = proxy === null ? [] : ["/bin/sh", "-c", WITH_PROXY, "sh"];
      const argv = [
        ...[engine, "exec", "-i", "-w", entry.cwd, "-e", `HOME=${grounds.home}`],
        ...names.flatMap((key) => ["-e", key]),
        ...[name, ...wrapper, ...entry.command.argv],
      ];
      return {
        command: { ...entry.command, argv },
        env: { ...entry.env, ...env },
        // A client that is killed leaves what it started inside.
        async leave() {
          if (found === null) return [];
          const { stdout } = await ask("exec", name, "/bin/sh", "-c", "kill -9 -1; echo");
          // Nobody got in: it is gone, or nothing in it can be ended by itself.
          if (stdout === "") await end();
          return [];
        },
      };
    },
    close: end,
  };
}

/** What a promise gives; null if the signal aborts before. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(null);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

/** Whether the first process of a container says that it is there, before it ends or takes too long. */
function isUp(client: ChildProcessWithoutNullStreams): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ENGINE_MS, false);
    const settle = (is: boolean) => {
      clearTimeout(timer);
      resolve(is);
    };
    client.stdout.once("data", () => settle(true));
    client.once("close", () => settle(false)).once("error", () => settle(false));
  });
}

type Named = { name: string; project: string; image: string; fixed: readonly string[]; room: Room };

/** The words that start the container. */
function containerWords(options: ContainerOptions, { name, project, image, fixed, room }: Named): string[] {
  const { engine, settings, host, grounds, network, proxy, needs } = options;
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const all = {
    domains: [],
    state: needs.flatMap(({ state }) => state),
    fixed: needs.flatMap((one) => one.fixed),
    env: [],
  };
  const gitSettings = [`${grounds.home}/.gitconfig`, `${grounds.home}/.config/git/config`];
  const own = room.own.map(({ path }) => path);
  const emptied = room.own.filter(({ show }) => show === "empty");
  const mounts = sandboxMounts({ ...grounds, ...room, programs: [], fixed, needs: all }, kindOf).filter(
    ({ path, show }) =>
      (show === "read-only" || show === "writable") &&
      (!isWithin(path, grounds.home) ||
        isWithin(path, grounds.project) ||
        gitSettings.includes(path) ||
        [...all.state, ...all.fixed, ...own].includes(path) ||
        (grounds.repository !== null && isWithin(path, grounds.repository.commonDir))),
  );
  return [
    ...["run", "--rm", "-i", "--name", name, "--label", `${LABEL}=${project}`, "--hostname", "sandbox"],
    ...["--network", network === "open" ? "bridge" : "none"],
    ...["--user", `${uid}:${gid}`, ...(engine === "podman" && !host.isRoot ? ["--userns", "keep-id"] : [])],
    ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only"],
    ...["--memory", settings.SANDBOX_MEMORY, "--cpus", settings.SANDBOX_CPUS, "--pids-limit", String(PIDS)],
    ...["--tmpfs", `/tmp:size=${TMP_SIZE},mode=1777`, "--tmpfs", `${grounds.home}:mode=0777`],
    ...emptied.flatMap(({ path }) => ["--tmpfs", `${path}:mode=0777`]),
    ...mounts.flatMap(mountWords),
    ...(proxy === null ? [] : mountWords({ path: PROXY_SOCKET, show: "writable", from: proxy.socket })),
    ...["--workdir", grounds.project, "--entrypoint", "/bin/sh", image, "-c", KEEPER],
  ];
}

function mountWords({ path, show, from = path }: Mount): string[] {
  const fields = ["type=bind", `source=${from}`, `target=${path}`, ...(show === "read-only" ? ["readonly"] : [])];
  return ["--mount", fields.map(mountField).join(",")];
}

/** Engines read a mount as a line of CSV: a folder may have a comma or a quote in its name. */
function mountField(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
