import { asObject, asText, firstOf, type ProjectFiles, readObject } from "./files.ts";
import { ownFiles } from "./sources.ts";
import type { Stack } from "./stack.ts";
import { isTest } from "./test-script.ts";

/** Detects a Deno project without a `package.json`. */
export function detectDeno(files: ProjectFiles): Stack | null {
  const marker = firstOf(files, ["deno.json", "deno.jsonc"]);
  if (marker === null || files.exists("package.json")) return null;
  const manifest = readObject(files, marker) ?? {};
  const tasks = asObject(manifest.tasks) ?? {};
  const script = (name: string) => asText(asObject(tasks[name])?.command ?? tasks[name]);
  const task = (...names: string[]) => {
    const name = names.find((candidate) => tasks[candidate] !== undefined);
    return name === undefined ? null : `deno task ${name}`;
  };
  return {
    language: "typescript",
    marker,
    name: asText(manifest.name),
    manager: "deno",
    commands: {
      install: "deno install",
      build: task("build"),
      test: (isTest(script("test") ?? "") ? task("test") : null) ?? (hasTests(files) ? "deno test" : null),
      run: task("start", "dev"),
      lint: task("lint") ?? "deno lint",
    },
  };
}

/** Whether there are tests; `deno test` fails without any. */
function hasTests(files: ProjectFiles): boolean {
  return ownFiles(files).some((name) => /(?:^|[._])test\.[cm]?[jt]sx?$/.test(name));
}
