import { filesMatching, type ProjectFiles, pathIn } from "./files.ts";
import { commandWord, type Stack } from "./stack.ts";

const PROJECT = /\.(?:cs|fs|vb)proj$/i;

/** Detects a .NET solution or project, at the root or in the folders below it. */
export function detectDotnet(files: ProjectFiles): Stack | null {
  const solution = filesMatching(files, "", /\.slnx?$/i)[0] ?? null;
  const listed = solution === null ? [] : projectsOf(files.read(solution) ?? "");
  const projects = listed.length > 0 ? listed : projectsIn(files);
  const marker = solution ?? projects.find((path) => !path.includes("/")) ?? null;
  if (marker === null) return null;
  const texts = projects.map((path) => files.read(path) ?? "");
  const isF = projects.some((path) => /\.fsproj$/i.test(path)) && !projects.some((path) => /\.csproj$/i.test(path));
  const tests = projects.filter((_, index) =>
    /Microsoft\.NET\.Test\.Sdk|xunit|nunit|mstest|tunit/i.test(texts[index] ?? ""),
  );
  return {
    language: isF ? "fsharp" : "csharp",
    marker,
    name:
      marker
        .split("/")
        .at(-1)
        ?.replace(/\.\w+$/, "") ?? null,
    manager: "dotnet",
    commands: {
      install: "dotnet restore",
      build: "dotnet build",
      test: solution !== null && tests.length > 0 ? "dotnet test" : testOf(tests),
      run: runOf(projects.filter((_, index) => /<OutputType>\s*(?:Win)?Exe|Sdk\.Web/i.test(texts[index] ?? ""))),
      lint: null,
    },
  };
}

/** Paths of the projects that a solution names; it writes them with backslashes. */
function projectsOf(solution: string): string[] {
  return [...solution.matchAll(/"([^"\n]+\.(?:cs|fs|vb)proj)"/gi)]
    .map(([, path = ""]) => path.replaceAll("\\", "/"))
    .filter((path) => !path.split("/").includes(".."));
}

function projectsIn(files: ProjectFiles): string[] {
  return ["", ...["", "src", "test", "tests"].flatMap((folder) => folders(files, folder))].flatMap((folder) =>
    filesMatching(files, folder, PROJECT).map((name) => pathIn(folder, name)),
  );
}

/** The test command. Without a solution `dotnet test` sees only the project of its folder. */
function testOf(tests: readonly string[]): string | null {
  const [project, second] = tests;
  if (project === undefined || second !== undefined) return null;
  if (!project.includes("/")) return "dotnet test";
  const folder = commandWord(project.slice(0, project.lastIndexOf("/")));
  return folder === null ? null : `dotnet test ${folder}`;
}

/** The run command; null if there are several programs. */
function runOf(programs: readonly string[]): string | null {
  const [program, second] = programs;
  if (program === undefined || second !== undefined) return null;
  if (!program.includes("/")) return "dotnet run";
  const folder = commandWord(program.slice(0, program.lastIndexOf("/")));
  return folder === null ? null : `dotnet run --project ${folder}`;
}

function folders(files: ProjectFiles, folder: string): string[] {
  return files
    .list(folder)
    .filter(({ kind, name }) => kind === "folder" && !name.startsWith(".") && name !== "node_modules")
    .slice(0, 50)
    .map(({ name }) => pathIn(folder, name));
}
