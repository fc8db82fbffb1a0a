import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { containsPath } from "../files/contains-path.ts";
import { isFileAt } from "../files/path-kind.ts";
import { readRegular } from "../files/regular-file.ts";
import { sha256Of } from "../files/sha256.ts";
import { slashPath } from "../files/slash-path.ts";
import { containsFile } from "./driver-files.ts";

/** Files of a program, absolute, and what identifies them all by content. */
export type CodeClosure = { files: string[]; digest: string };

const MOST_FILES = 2000;
const MOST_BYTES = 64 * 2 ** 20;
const LARGE = 4 * 2 ** 20;

const SCRIPT = /^\.(?:[cm]?[jt]sx?|json)$/;
const CODE = /\.(?:[cm]?[jt]sx?|(?:ba|z|k|da|fi)?sh|py|rb|pl|php|lua|ps1|bat|cmd|jq|awk)$/i;
const ENDINGS = ["", ".ts", ".js", ".mjs", ".cjs", ".json", ".sh", "/index.ts", "/index.js"];
/** The texts in quotes of a script, with the word before; in any other program each word may be a path. */
const QUOTED = /(\b\w+\s*\(?\s*)?(?:"([^"\n]{1,400})"|'([^'\n]{1,400})'|`([^`\n]{1,400})`)/g;
const WORDS = /[^\s"'`()<>;|&=,{}[\]$#*?!]+/g;
const IMPORTS = /^(?:from|import|require)\b/;
const RUNS = /^(?:source|\.|exec|(?:ba|z|k|da)?sh|node|bun|deno|python[\d.]*|perl|ruby|jq|awk)$/;

/**
 * A file of a project with everything in the project that it may import, source or start, and so on: each word of it that names
 * code there, relative to itself or to the project, or any file after `import`, `source` and the like; each package of
 * `node_modules` that it names; and the whole folder if that is one below `.ralph`. Rather too much than too little: it is only
 * asked again when one of them changes. Data counts only where it is imported: a log that it writes changes with each run.
 * @param file absolute path; outside the project the file stands alone
 * @throws RalphError `environment` if it is too much to be looked through
 */
export function codeClosure(file: string, project: string): CodeClosure {
  const files = new Set<string>();
  const open = [file];
  if (containsPath(join(project, ".ralph"), file)) open.push(...filesBelow(dirname(file)));
  let bytes = 0;
  const digests: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (files.has(next)) continue;
    files.add(next);
    bytes += statSync(next).size;
    if (files.size > MOST_FILES || bytes > MOST_BYTES)
      throw new RalphError("environment", `${file} reaches more of the project than can be looked through.`, {
        hint: "Let it import less, or pass --trust each time.",
      });
    const content = readRegular(next);
    digests.push(`${slashPath(project, next)} ${sha256Of(content)}`);
    // A large program is no script; a script stays one with a zero byte in it.
    if (content.length < LARGE || !content.includes(0)) open.push(...reached(content.toString("utf8"), next, project));
  }
  return { files: [...files], digest: sha256Of(digests.toSorted().join("\n")) };
}

/** The files of the project that a text may mean. */
function reached(text: string, file: string, project: string): string[] {
  if (!containsFile(project, file)) return [];
  const isScript = SCRIPT.test(extname(file));
  // The folder before a path often stands in a variable.
  const plain = text.replace(/\$(?:\w+|\{[^}\n]*\})/g, " ");
  const words = isScript ? quotedIn(plain) : wordsIn(plain);
  return [...words].flatMap(([word, isRun]) => {
    const path = word.trim().replace(/^(?:file:)?[\\/]+/, "");
    if (path === "" || path.includes("\0")) return [];
    // A name of the package's own: only its package.json says what that is.
    if (isScript && path.startsWith("#"))
      return upwards(file, project, (folder) => fileAt(join(folder, "package.json"), project));
    const near = [dirname(file), project]
      .flatMap((folder) => fileAt(resolve(folder, path), project) ?? [])
      .filter((found) => isRun || isCode(found));
    return isScript ? [...near, ...packageFiles(path, file, project)] : near;
  });
}

/** The texts in quotes, each with whether it is imported. */
function quotedIn(text: string): Map<string, boolean> {
  const words = new Map<string, boolean>();
  for (const [, before = "", double, single, back] of text.matchAll(QUOTED)) {
    const word = double ?? single ?? back ?? "";
    words.set(word, words.get(word) === true || IMPORTS.test(before));
  }
  return words;
}

/** The words of a shell's language, each with whether it is sourced or started. */
function wordsIn(text: string): Map<string, boolean> {
  const words = new Map<string, boolean>();
  for (const line of text.split("\n")) {
    // `source "$(dirname "$0")/lib"` has words between the command and the path.
    let isRun = false;
    for (const word of line.match(WORDS) ?? []) {
      words.set(word, words.get(word) === true || isRun);
      isRun ||= RUNS.test(word);
    }
  }
  return words;
}

function isCode(file: string): boolean {
  if (CODE.test(file) || (statSync(file).mode & 0o111) !== 0) return true;
  return readRegular(file).subarray(0, 2).toString("latin1") === "#!";
}

function fileAt(path: string, project: string): string | null {
  if (!containsPath(project, path)) return null;
  return ENDINGS.map((ending) => path + ending).find(isFileAt) ?? null;
}

/** The files of a package of `node_modules`, from the file's folder up to the project. */
function packageFiles(specifier: string, file: string, project: string): string[] {
  const name = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(specifier)?.[0];
  if (name === undefined || name === "." || name === "..") return [];
  const place = upwards(file, project, (folder) => {
    const at = join(folder, "node_modules", name);
    return existsSync(at) ? at : null;
  });
  return place.flatMap((at) => (isFileAt(at) ? [at] : filesBelow(at)));
}

/** What is found first from a file's folder up to the project; empty for nothing. */
function upwards(file: string, project: string, find: (folder: string) => string | null): string[] {
  for (let folder = dirname(file); containsPath(project, folder); folder = dirname(folder)) {
    const found = find(folder);
    if (found !== null) return [found];
    if (folder === dirname(folder)) break;
  }
  return [];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isFileAt);
}
