import { RalphError } from "../core/errors.ts";
import { didYouMean } from "../core/settings/suggest.ts";
import { isDriverName } from "./check-driver.ts";

/** A file that may hold a driver; the user selects it by name. */
export type DriverFile = { name: string; path: string; place: "project" | "user" };

/** The drivers to choose from. */
export type AvailableDrivers = {
  files: readonly DriverFile[];
  builtIn: readonly string[];
  /** Where a file names the wanted one, to stand before a complaint. */
  place?: string;
  /** How one is chosen, to follow "Choose one with". */
  way?: string;
};

/** The meaning of a word: a built-in driver, a driver file that was found, or the path of one. */
export type DriverLocation = { builtIn: string } | { file: DriverFile } | { path: string };

/** Extensions of driver files; of two files that differ only in the extension, the first in this list wins. */
const ENDINGS = ["ts", "js", "mjs", "sh"] as const;
const DRIVER_FILE = new RegExp(`^(?<name>[^.].*)\\.(?:${ENDINGS.join("|")})$`);

/** A script beside the drivers of bmalph that is none itself. */
const HELPER_SCRIPT = "cursor-agent-wrapper.sh";

/** The drivers among the files of a folder, without type declarations (`.d.ts`). */
export function findDriverFiles(files: readonly string[]): { name: string; file: string }[] {
  const found = new Map<string, string>();
  for (const ending of ENDINGS) {
    for (const file of files.filter((one) => one !== HELPER_SCRIPT)) {
      const name = file.endsWith(`.${ending}`) ? DRIVER_FILE.exec(file)?.groups?.name : undefined;
      if (name !== undefined && !name.endsWith(".d") && !found.has(name)) found.set(name, file);
    }
  }
  return [...found].map(([name, file]) => ({ name, file }));
}

/** Whether a driver file follows the bash contract. */
export function isBashDriver(path: string): boolean {
  return path.endsWith(".sh");
}

/** Whether PLATFORM_DRIVER names a file rather than a driver. */
export function isDriverPath(word: string): boolean {
  return /[\\/]/.test(word) || DRIVER_FILE.test(word);
}

/** A project file named like a built-in driver can only be selected by its path. */
export function shadowsBuiltIn(file: DriverFile, builtIn: readonly string[]): boolean {
  return file.place === "project" && builtIn.includes(file.name);
}

/**
 * Finds a driver in this order: a path, the project's file, the user's file, a built-in, a built-in as KitStream ralph
 * named it: in any case, and Claude Code by the name of its program.
 * @throws RalphError `config` for an unknown name, with all known names
 */
export function locateDriver(wanted: string, available: AvailableDrivers): DriverLocation {
  const { files, builtIn, place = "", way = "--driver NAME or PATH, or PLATFORM_DRIVER" } = available;
  if (isDriverPath(wanted)) return { path: wanted };
  const usable = files.filter((file) => !shadowsBuiltIn(file, builtIn));
  const ofProject = usable.find((file) => file.place === "project" && file.name === wanted);
  const file = ofProject ?? usable.find((one) => one.name === wanted);
  if (file !== undefined) return { file };
  const lower = wanted.toLowerCase();
  const own = [wanted, lower, lower === "claude" ? "claude-code" : lower].find((name) => builtIn.includes(name));
  if (own !== undefined) return { builtIn: own };
  const names = [...new Set([...builtIn, ...usable.map(({ name }) => name)])];
  const what = isDriverName(wanted)
    ? `no driver called ${JSON.stringify(wanted)}`
    : `no driver ${JSON.stringify(wanted)}`;
  throw new RalphError("config", `${place}There is ${what}.${didYouMean(wanted, names)}`, {
    hint: `Drivers: ${names.join(", ")}. Choose one with ${way}.`,
  });
}
