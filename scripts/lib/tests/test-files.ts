import { root } from "../paths.ts";

/** The kinds of test files, by folder; a file in none of these folders is a unit test. */
export const kinds = ["rules", "unit", "e2e", "fault", "deno", "agents"] as const;
export type Kind = (typeof kinds)[number];

/** The kind of a test file. Every file has exactly one, so none is forgotten. @param file relative to the project */
export function testKind(file: string): Kind {
  if (file === "tests/architecture.test.ts") return "rules";
  if (file.startsWith("tests/e2e/")) return "e2e";
  if (file.startsWith("tests/fault/")) return "fault";
  if (file.startsWith("tests/deno/")) return "deno";
  if (file.startsWith("tests/agents-e2e/")) return "agents";
  return "unit";
}

/** All test files of a kind, sorted, relative to the project, with forward slashes. */
export function testFiles(kind: Kind): string[] {
  return [...new Bun.Glob("tests/**/*.test.ts").scanSync(root)]
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => testKind(file) === kind)
    .sort();
}
