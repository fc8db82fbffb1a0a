import { dirname, join } from "node:path";
import { withClosings } from "../../core/closings.ts";
import { RalphError } from "../../core/errors.ts";
import { badDomains, networkText, sandboxNetwork } from "../../core/sandbox/network.ts";
import { isWithin, mustStayAbsent, sandboxMounts } from "../../core/sandbox/policy.ts";
import { ownVariable, sandboxEnv } from "../../core/sandbox/sandbox-env.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Driver, Host, SandboxNeeds } from "../../driver.ts";
import { discoverRepository } from "../git/repository.ts";
import { submodulePlaces } from "../git/submodules.ts";
import type { Sandbox, SandboxEntry, SandboxedCall } from "../ports.ts";
import type { ProjectPaths } from "../project/project-paths.ts";
import { bwrapCommand } from "./bwrap.ts";
import { containerFault, createContainer } from "./container.ts";
import { PROXY_PORT } from "./inside.ts";
import { osFault, type SandboxFault } from "./os-fault.ts";
import { makeStateFolders, ownState } from "./own-state.ts";
import { type Grounds, kindOf, NO_NEEDS, programFolders, programInside, type Room, sandboxGrounds } from "./place.ts";
import { type HostProxy, startProxy } from "./proxy.ts";
import { openRunFolder } from "./run-folder.ts";
import { watchStrays } from "./strays.ts";
import { createWorkRoom, type WorkRoom } from "./work-room.ts";

/** An agent that a run may call. */
export type SandboxedAgent = { driver: Pick<Driver, "name" | "sandbox" | "installCommand">; binary: readonly string[] };

export type SandboxSettings = Pick<
  Settings,
  "SANDBOX" | "SANDBOX_ALLOW_DOMAINS" | "SANDBOX_ENV" | "SANDBOX_IMAGE" | "SANDBOX_MEMORY" | "SANDBOX_CPUS"
>;

export type SandboxOptions = {
  settings: SandboxSettings;
  paths: ProjectPaths;
  host: Host;
  agents: readonly SandboxedAgent[];
};

const NO_GIT = "no git for the agent, as the project lies below its repository's root (--commit commits its work)";

/** @throws RalphError `environment` if the sandbox of the settings cannot work here: a run never falls back to less */
export async function requireSandbox(options: SandboxOptions): Promise<void> {
  const fault = await sandboxFault(options);
  if (fault !== null) throw new RalphError("environment", fault.what, { hint: fault.hint });
}

/** What keeps the sandbox of the settings from working here, and what helps; null if nothing does. Changes nothing. */
export async function sandboxFault({ settings, host, agents, paths }: SandboxOptions): Promise<SandboxFault | null> {
  const bad = badDomains(settings.SANDBOX_ALLOW_DOMAINS);
  if (bad.length > 0)
    return {
      what: `SANDBOX_ALLOW_DOMAINS names no host with ${JSON.stringify(bad[0])}.`,
      hint: "Names of hosts, such as example.org or *.example.org; none for no network, * for all of it.",
    };
  const network = networkOf({ settings, host, agents });
  return settings.SANDBOX === "os"
    ? osFault(host, network)
    : containerFault({ engine: settings.SANDBOX, settings, host, network, agents, project: paths.project });
}

function networkOf({ settings, host, agents }: Pick<SandboxOptions, "settings" | "host" | "agents">) {
  return sandboxNetwork(
    settings.SANDBOX_ALLOW_DOMAINS,
    agents.map(({ driver }) => needsOf(driver, host)),
  );
}

/** What an agent needs; its own state is shown to no other. */
function needsOf(driver: SandboxEntry["driver"], host: Host): SandboxNeeds {
  return driver.sandbox?.(host) ?? NO_NEEDS;
}

/**
 * Opens the sandbox of a run, after `requireSandbox`; call it only where SANDBOX names one.
 * @throws RalphError `environment` if it does not open
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { settings, paths, host, agents } = options;
  const network = networkOf(options);
  const grounds = sandboxGrounds(paths, host);
  const discovered = discoverRepository(paths.project);
  const proxy = typeof network === "string" ? null : await startProxy(network);
  const needsOfAll = agents.map(({ driver }) => needsOf(driver, host));
  needsOfAll.forEach(makeStateFolders);
  const copies = openRunFolder();
  let calls = 0;
  const ownOf = (needs: readonly SandboxNeeds[]) =>
    needs.flatMap((one) => {
      calls += 1;
      return ownState(one, join(copies.path, String(calls)));
    });
  /** A container is made once, with what all its agents see. */
  let ofRun: Room["own"] | null = null;
  const shared = { settings, host, grounds, network, proxy };
  const container =
    settings.SANDBOX === "os"
      ? null
      : createContainer({ ...shared, engine: settings.SANDBOX, agents, needs: needsOfAll });
  let room: WorkRoom | null = null;
  const engine = `${settings.SANDBOX}${settings.SANDBOX === "os" ? " (bubblewrap)" : ""}`;
  // What lies around the project is not shown: to git all of it would be deleted, so it is well that git finds no repository.
  const noGit = discovered === null || discovered.root === paths.project ? "" : `, ${NO_GIT}`;
  return {
    summary: `sandbox ${engine}, ${networkText(network)}${noGit}`,
    async enter(asked) {
      const own = [paths.prompt, paths.settings].filter((path) => path !== null && isWithin(path, paths.project));
      const submodules = () =>
        discovered === null
          ? []
          : submodulePlaces(discovered, host.env).filter((path) => isWithin(path, paths.project));
      const entry = { ...asked, fixed: [...asked.fixed, ...submodules(), ...own.filter((path) => path !== null)] };
      const needs = needsOf(entry.driver, host);
      const { repository, project, obeyed } = grounds;
      // The agent may make a repository where none is.
      const gitFolders =
        repository === null ? [join(project, ".git")] : [...new Set([repository.gitDir, repository.commonDir])];
      const setAside = watchStrays({
        paths: mustStayAbsent({ project, repository, obeyed, needs }),
        onlyFolders: [join(project, ".git")],
        submodules,
        gitFolders,
        roots: [project, ...gitFolders, ...needs.state],
        keep: entry.keep,
        project,
      });
      room ??= createWorkRoom({
        folder: join(dirname(entry.keep), "inside"),
        files: grounds.work.filter((path) => dirname(path) === paths.ralph && kindOf(path) === "file"),
        outside: paths.ralph,
        keep: entry.keep,
      });
      const names = room.open();
      if (container !== null) ofRun ??= ownOf(needsOfAll);
      const here = { room: room.folder, names, own: ofRun ?? ownOf([needs]) };
      const inside =
        container === null ? enterOs({ ...shared, here, entry, needs }) : await container.enter(entry, needs, here);
      const leave = async () => {
        await inside.leave();
        return [...setAside(), ...(room?.shut() ?? [])];
      };
      return { ...inside, leave };
    },
    close: () =>
      withClosings(async () => container?.close(), [() => room?.remove(), copies.remove, () => proxy?.close()]),
  };
}

type OsCall = {
  settings: SandboxSettings;
  host: Host;
  grounds: Grounds;
  network: ReturnType<typeof networkOf>;
  proxy: HostProxy | null;
  here: Room;
  entry: SandboxEntry;
  needs: SandboxNeeds;
};

function enterOs({ settings, host, grounds, network, proxy, here, entry, needs }: OsCall): SandboxedCall {
  const { command, cwd, env, fixed } = entry;
  const [program = "", ...words] = command.argv;
  const found = host.which(program);
  const programs = programFolders(grounds, found);
  const mounts = sandboxMounts({ ...grounds, ...here, programs, fixed, needs }, kindOf);
  const argv = bwrapCommand([found === null ? program : programInside(grounds, found), ...words], {
    mounts,
    network,
    proxySocket: proxy?.socket ?? null,
    cwd,
    isRoot: host.isRoot,
  });
  const isOwn = ownVariable(needs.env, settings.SANDBOX_ENV);
  const inside = { ...sandboxEnv(env, isOwn, network === "open"), ...proxy?.env(PROXY_PORT) };
  return { command: { ...command, argv }, env: inside, leave: async () => [] };
}
