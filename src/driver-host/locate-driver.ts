import { RalphError } from "../core/errors.ts";
import { didYouMean } from "../core/settings/suggest.ts";
import { isDriverName } from "./check-driver.ts";

/** A file that may hold a driver; its name is what it is chosen by. */
export type DriverFile = { name: string; path: string; place: "project" | "user" };

/** What there is to choose from. */
export type AvailableDrivers = { files: readonly DriverFile[]; builtIn: readonly string[] };

/** What a word means: a driver that ralph brings along, a file that it found, or the path of one. */
export type DriverLocation = { builtIn: string } | { file: DriverFile } | { path: string };

/** Endings of driver files; of two files that differ only in it, the first counts. */
const ENDINGS = ["ts", "js", "mjs", "sh"] as const;
const DRIVER_FILE = new RegExp(`^(?<name>[^.].*)\\.(?:${ENDINGS.join("|")})$`);

/** The drivers among the files of a folder; declarations of types (`.d.ts`) are none. */
export function findDriverFiles(files: readonly string[]): { name: string; file: string }[] {
  const found = new Map<string, string>();
  for (const ending of ENDINGS) {
    for (const file of files) {
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

/** A project's file under the name of a built-in driver: it is chosen by its path alone. */
export function shadowsBuiltIn(file: DriverFile, builtIn: readonly string[]): boolean {
  return file.place === "project" && builtIn.includes(file.name);
}

/**
 * Finds what is meant, in this order: a path, the project's file, the user's file, a built-in.
 * @throws RalphError `config` for an unknown name, with all that there are
 */
export function locateDriver(wanted: string, { files, builtIn }: AvailableDrivers): DriverLocation {
  if (isDriverPath(wanted)) return { path: wanted };
  const usable = files.filter((file) => !shadowsBuiltIn(file, builtIn));
  const ofProject = usable.find((file) => file.place === "project" && file.name === wanted);
  const file = ofProject ?? usable.find((one) => one.name === wanted);
  if (file !== undefined) return { file };
  if (builtIn.includes(wanted)) return { builtIn: wanted };
  const names = [...new Set([...builtIn, ...usable.map(({ name }) => name)])];
  const what = isDriverName(wanted)
    ? `no driver called ${JSON.stringify(wanted)}`
    : `no driver ${JSON.stringify(wanted)}`;
  throw new RalphError("config", `There is ${what}.${didYouMean(wanted, names)}`, {
    hint: `Drivers: ${names.join(", ")}. Choose one with --driver NAME or PATH, or PLATFORM_DRIVER.`,
  });
}
