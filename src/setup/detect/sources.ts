import { type ProjectFiles, pathIn } from "./files.ts";

/** The endings of source files, by language; a C header alone may also be C++. */
const ENDINGS: Readonly<Record<string, string>> = {
  typescript: "ts tsx mts cts",
  javascript: "js jsx mjs cjs vue svelte",
  python: "py",
  rust: "rs",
  go: "go",
  java: "java",
  kotlin: "kt kts",
  csharp: "cs",
  fsharp: "fs",
  ruby: "rb",
  php: "php",
  elixir: "ex exs",
  swift: "swift",
  dart: "dart",
  c: "c",
  cpp: "cpp cc hpp",
  zig: "zig",
  scala: "scala",
  lua: "lua",
  shell: "sh bats",
  haskell: "hs",
  clojure: "clj cljs",
  ocaml: "ml",
  julia: "jl",
  erlang: "erl",
  nim: "nim",
  terraform: "tf",
};
const LANGUAGES = new Map(
  Object.entries(ENDINGS).flatMap(([language, all]) => all.split(" ").map((ending) => [ending, language] as const)),
);

/** Folders of third-party code and of build output. */
export const NOT_OURS: ReadonlySet<string> = new Set(
  (
    "node_modules vendor target dist build out bin obj deps _build venv env __pycache__ coverage third_party Pods " +
    "site-packages"
  ).split(" "),
);

/** More entries would not change which language leads. */
const MAX_ENTRIES = 4000;
const MAX_DEPTH = 8;

/** Source files by language, the most frequent first; a large project is counted only in part. */
export function countSources(files: ProjectFiles): { language: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const name of ownFiles(files)) {
    const language = languageOf(name);
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].map(([language, files]) => ({ language, files })).sort((a, b) => b.files - a.files);
}

/** Names of the project's own files in all its folders, upper folders first. */
export function* ownFiles(files: ProjectFiles): Generator<string> {
  let seen = 0;
  let folders = [""];
  for (let depth = 0; depth <= MAX_DEPTH && folders.length > 0; depth += 1) {
    const below: string[] = [];
    for (const folder of folders) {
      for (const { name, kind } of files.list(folder)) {
        if (++seen > MAX_ENTRIES) return;
        if (kind === "file") yield name;
        else if (!name.startsWith(".") && !NOT_OURS.has(name)) below.push(pathIn(folder, name));
      }
    }
    folders = below;
  }
}

function languageOf(name: string): string | null {
  const ending = /\.([A-Za-z]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  // Configuration is no source, whatever language it is written in.
  if (/\.config\.\w+$|\.d\.ts$|\.gradle\.kts$|^setup\.py$|^mix\.exs$|^Package\.swift$|^build\.zig$/.test(name))
    return null;
  return LANGUAGES.get(ending) ?? null;
}
