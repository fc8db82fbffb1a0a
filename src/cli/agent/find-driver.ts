import { join, relative } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Driver, Host } from "../../driver.ts";
import {
  type DriverFile,
  findDriverFiles,
  isBashDriver,
  locateDriver,
  shadowsBuiltIn,
} from "../../driver-host/locate-driver.ts";
import { withPrivatePrompt } from "../../driver-host/private-prompt.ts";
import { BUILT_IN_DRIVERS, BUILT_IN_NAMES, type DriverWithSource, findBuiltIn } from "../../driver-host/registry.ts";
import { createHost } from "../../effects/host.ts";
import { runSync } from "../../effects/process/run-sync.ts";
import { projectPaths, RALPH_DIR } from "../../effects/project/project-paths.ts";
import { privatePromptIn, promptFileIn } from "../../effects/project/prompt-file.ts";
import { containsFile, driversFolder, existingFile, listFiles } from "../../effects/user/driver-files.ts";
import { configFolder } from "../../effects/user/home.ts";
import { importModule } from "../../effects/user/import-module.ts";
import type { CommandContext } from "../context.ts";
import { driverItem, openItems, requireAgreed, type TrustItem } from "./project-trust.ts";

export type DriverLookup = {
  host: Host;
  /** The folder that the agent will work in, if it is not the project. */
  workIn?: Host;
  settings: Settings;
  /** The user named the driver, not a file of the project. */
  personal: boolean;
  /** Where a file names it, to stand before a complaint about that; "" for no file. */
  place: string;
  /** How the user names another, if not as the run's agent. */
  way?: string;
  /** Whether the agent's command may be started: it is not the project's, or the user agreed to it. */
  mayStart: boolean;
};

/** The machine, for a look at drivers: the demo agent is this program itself. */
export function driversHost({ projectDir, env, self }: Pick<CommandContext, "projectDir" | "env" | "self">): Host {
  return createHost(projectDir, { RALPH_DEMO_AGENT: self[0], ...env });
}

/** A file that holds no driver or must not be loaded, with the reason. */
export type UnusableDriver = { name: string; source: string; problem: string };

/**
 * Loads the driver of that name or path. Paths are relative to the project folder.
 * @throws RalphError `config` for an unknown name or a file that holds no driver, `environment` for an untrusted one
 */
export async function findDriver(wanted: string, lookup: DriverLookup): Promise<DriverWithSource> {
  const { driver, source } = await findAsItIs(wanted, lookup);
  const { cwd } = lookup.workIn ?? lookup.host;
  return { driver: withPrivatePrompt(driver, privatePromptIn(cwd)), source };
}

async function findAsItIs(wanted: string, lookup: DriverLookup): Promise<DriverWithSource> {
  const found = place(wanted, lookup);
  if ("driver" in found) return found;
  const { host, settings } = lookup;
  if (found.isOfProject && !settings.RALPH_TRUST) requireAgreed([driverItem(found.path, host.cwd)], host);
  return { driver: await load(found.path, lookup), source: found.path };
}

/** What the user agrees to before a driver of that name may be loaded; nothing for a built-in or the user's own. */
export function trustOfDriver(wanted: string, lookup: Pick<DriverLookup, "host" | "personal" | "place">): TrustItem[] {
  const found = place(wanted, lookup);
  return "path" in found && found.isOfProject ? [driverItem(found.path, lookup.host.cwd)] : [];
}

/** The same for every driver in the project's folder of drivers. */
export function trustOfProjectDrivers(host: Host): TrustItem[] {
  return driverFiles(host)
    .filter((file) => file.place === "project" && !shadowsBuiltIn(file, BUILT_IN_NAMES))
    .map(({ path }) => driverItem(path, host.cwd));
}

/** A built-in driver, or the file of one. */
function place(
  wanted: string,
  { host, personal, place: at, way }: Pick<DriverLookup, "host" | "personal" | "place" | "way">,
): DriverWithSource | { path: string; isOfProject: boolean } {
  const chosen = way === undefined ? {} : { way };
  const located = locateDriver(wanted, { files: driverFiles(host), builtIn: BUILT_IN_NAMES, place: at, ...chosen });
  const builtIn = "builtIn" in located ? findBuiltIn(located.builtIn) : null;
  if (builtIn !== null) return builtIn;
  if ("file" in located) return { path: located.file.path, isOfProject: located.file.place === "project" };
  const path = pathOf(wanted, host, at);
  return { path, isOfProject: !personal || containsFile(host.cwd, path) };
}

/** Names of all drivers that can be chosen by name. */
export function driverNames(host: Host): string[] {
  return [...new Set([...BUILT_IN_NAMES, ...driverFiles(host).map(({ name }) => name)])];
}

/** Every driver there is. A project's own is loaded only if it is trusted: listing must not run code. */
export async function listDrivers(lookup: DriverLookup): Promise<(DriverWithSource | UnusableDriver)[]> {
  const files = driverFiles(lookup.host);
  const replaced = files.filter((file) => file.place === "user").map(({ name }) => name);
  const own = BUILT_IN_DRIVERS.filter(({ name }) => !replaced.includes(name)).map((driver) => ({
    driver,
    source: "built-in",
  }));
  return [...own, ...(await Promise.all(files.map((file) => tryLoad(file, lookup))))];
}

/** The files in the driver folders of the project and of the user. */
function driverFiles(host: Host): DriverFile[] {
  const folders = [
    { place: "project", folder: driversFolder(join(host.cwd, RALPH_DIR)) },
    { place: "user", folder: driversFolder(configFolder(host)) },
  ] as const;
  return folders.flatMap(({ place, folder }) =>
    findDriverFiles(listFiles(folder)).map(({ name, file }) => ({ name, path: join(folder, file), place })),
  );
}

async function tryLoad(file: DriverFile, lookup: DriverLookup): Promise<DriverWithSource | UnusableDriver> {
  const { name, path } = file;
  const unusable = (problem: string) => ({ name, source: path, problem });
  if (shadowsBuiltIn(file, BUILT_IN_NAMES))
    return unusable(
      `it has the name of a built-in driver: rename it, or choose it with --driver ${relative(lookup.host.cwd, path)}`,
    );
  try {
    const items = file.place === "project" && !lookup.settings.RALPH_TRUST ? [driverItem(path, lookup.host.cwd)] : [];
    if (openItems(items, lookup.host).length > 0)
      return unusable("it is code of this project that you have not agreed to yet (ralph trust)");
    return { driver: await load(path, lookup), source: path };
  } catch (error) {
    if (error instanceof RalphError) return unusable(error.message);
    throw error;
  }
}

function pathOf(wanted: string, host: Host, place: string): string {
  const path = existingFile(wanted, host.cwd);
  if (path !== null) return path;
  throw new RalphError("config", `${place}There is no driver file ${wanted}.`, {
    hint: `Paths are taken from the project folder, ${host.cwd}. Drivers by name: ${BUILT_IN_NAMES.join(", ")}.`,
  });
}

async function load(path: string, { host, workIn = host, settings }: DriverLookup): Promise<Driver> {
  // Nearly everyone's driver is built in: a start does not load what loads others.
  if (!isBashDriver(path)) return (await import("../../driver-host/load-ts.ts")).loadTs(path, importModule);
  const { loadShell } = await import("../../driver-host/shell/load-shell.ts");
  const settingsFile = projectPaths(host.cwd, null, null).settings ?? join(host.cwd, RALPH_DIR, ".ralphrc");
  return loadShell(path, {
    run: runSync,
    host: workIn,
    promptFile: promptFileIn(workIn.cwd),
    known: BUILT_IN_DRIVERS,
    continueSessions: settings.SESSION_CONTINUITY,
    settingsFile: relative(host.cwd, settingsFile),
  });
}
