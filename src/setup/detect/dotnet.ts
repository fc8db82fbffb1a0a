import { filesIn, type ProjectFiles } from "./files.ts";
import type { Stack } from "./stack.ts";

const PROJECT = /\.(?:cs|fs|vb)proj$/i;

/** A .NET solution or project, at the root or in the folders below it. */
export function detectDotnet(files: ProjectFiles): Stack | null {
  const solution = filesIn(files, "", /\.slnx?$/i)[0] ?? null;
  const projects = ["", ...folders(files, ""), ...folders(files, "src"), ...folders(files, "tests")].flatMap((folder) =>
    filesIn(files, folder, PROJECT).map((name) => (folder === "" ? name : `${folder}/${name}`)),
  );
  const marker = solution ?? projects.find((path) => !path.includes("/")) ?? null;
  if (marker === null) return null;
  const texts = projects.map((path) => files.read(path) ?? "");
  const isF = projects.some((path) => /\.fsproj$/i.test(path)) && !projects.some((path) => /\.csproj$/i.test(path));
  const hasTests = texts.some((text) => /Microsoft\.NET\.Test\.Sdk|xunit|nunit|mstest/i.test(text));
  const runs = projects.length === 1 && texts.some((text) => /<OutputType>\s*Exe|Sdk\.Web/i.test(text));
  return {
    language: isF ? "fsharp" : "csharp",
    marker,
    name:
      marker
        .split("/")
        .at(-1)
        ?.replace(/\.\w+$/, "") ?? null,
    manager: "dotnet",
    framework: texts.some((text) => /Microsoft\.NET\.Sdk\.Web/i.test(text)) ? "ASP.NET Core" : null,
    commands: {
      install: "dotnet restore",
      build: "dotnet build",
      test: hasTests ? "dotnet test" : null,
      run: runs ? "dotnet run" : null,
      lint: null,
    },
  };
}

function folders(files: ProjectFiles, folder: string): string[] {
  return files
    .list(folder)
    .filter(({ kind, name }) => kind === "folder" && !name.startsWith(".") && name !== "node_modules")
    .slice(0, 50)
    .map(({ name }) => (folder === "" ? name : `${folder}/${name}`));
}
