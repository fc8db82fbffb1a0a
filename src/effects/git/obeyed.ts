/** What a repository's settings make git read as settings, or run. */
import { basename, dirname, resolve } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { splitShellWords } from "../../core/text/shell-words.ts";
import { homeFolder } from "../user/home.ts";
import { expandHome, loadConfig } from "./config-files.ts";
import { readText } from "./read.ts";
import type { Repository } from "./repository.ts";

/** Settings whose words git runs (git-config manual). */
const COMMANDS =
  /^(?:core\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy)|sequence\.editor|gpg(?:\..+)?\.program|gpg\.ssh\.defaultkeycommand|credential(?:\..+)?\.helper|(?:filter|diff|merge)\..+\.(?:clean|smudge|process|textconv|command|driver)|diff\.external|remote\..+\.(?:uploadpack|receivepack))$/;

/**
 * The files of the settings themselves, those that they include, the folder of hooks, and what commands in them name by a path. Absolute;
 * not all of it is there.
 */
export function obeyedPaths(repository: Repository, env: EnvVars): string[] {
  const home = homeFolder(env);
  const files: string[] = [];
  const read = (path: string) => {
    files.push(path);
    return readText(path);
  };
  const values = loadConfig({ env, home, windows: process.platform === "win32", read }, repository);
  const named = [...values].flatMap(([key, value]) => {
    // The hooks that husky makes run the file of their name in the folder above.
    if (key === "core.hookspath") return basename(value) === "_" ? [value, dirname(value)] : [value];
    return COMMANDS.test(key) ? (splitShellWords(value.replace(/^!/, "")) ?? []).filter(isPath) : [];
  });
  return [...new Set([...files, ...named.map((path) => resolve(repository.root, expandHome(path, home)))])];
}

/** A bare name is looked for in the PATH. */
function isPath(word: string): boolean {
  return word.includes("/") && !word.startsWith("-");
}
