import { readPage } from "../../scripts/lib/docs/pages.ts";

/** The rows of the page's table of events: what is told of each type. */
export function rowsOf(page: string): Map<string, string> {
  const [, section = ""] = page.split("## Journal lines");
  const lines = section.split("\n## ")[0]?.split("\n") ?? [];
  return new Map(
    lines
      .filter((line) => /^\| [a-z_]+[ ,]/.test(line) && !line.startsWith("| type "))
      .flatMap((line) => {
        const [, types = "", told = ""] = line.split("|");
        return types.split(",").map((type) => [type.trim(), told] as const);
      }),
  );
}

/** Those of these fields that a row does not name. */
export function untoldIn(row: string, fields: readonly string[]): string[] {
  return fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(row));
}

export const INTERFACES = readPage("docs/interfaces.md");
