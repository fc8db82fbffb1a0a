import type { ProjectFiles } from "./files.ts";
import { commandWord, type Stack } from "./stack.ts";

/** Detects a Go module, or a workspace of modules. */
export function detectGo(files: ProjectFiles): Stack | null {
  const module = files.read("go.mod");
  if (module === null && !files.exists("go.work")) return null;
  const path = /^\s*module\s+"?([^\s"]+)/m.exec(module ?? "")?.[1] ?? null;
  const modules = goModules(files.read("go.work") ?? "").map((folder) => `${folder}/...`);
  // A workspace has no packages outside its modules: `./...` is an error there, or covers only a part.
  const all = modules.length === 0 ? "./..." : modules.join(" ");
  return {
    language: "go",
    marker: module === null ? "go.work" : "go.mod",
    name:
      path
        ?.replace(/\/v\d+$/, "")
        .split("/")
        .at(-1) ?? null,
    manager: "go",
    commands: {
      install: "go mod download",
      build: `go build ${all}`,
      test: `go test ${all}`,
      run: runOf(files),
      lint: `go vet ${all}`,
    },
  };
}

/** Folders of the modules that a `go.work` uses. */
function goModules(work: string): string[] {
  return [...work.matchAll(/^\s*(?:use\s+)?(\.(?:\/[\w.-]+)*)\/?\s*(?:\/\/.*)?$/gm)]
    .map(([, folder = ""]) => folder)
    .filter((folder) => !folder.includes(".."));
}

function runOf(files: ProjectFiles): string | null {
  if (files.exists("main.go")) return "go run .";
  const programs = files.list("cmd").filter(({ kind }) => kind === "folder");
  const [program] = programs;
  const word = programs.length === 1 ? commandWord(program?.name ?? null) : null;
  return word === null ? null : `go run ./cmd/${word}`;
}
