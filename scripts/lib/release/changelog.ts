/**
 * The notes of a version in a changelog (Keep a Changelog).
 * @returns null if it has no such section
 */
export function notesOf(changelog: string, version: string): string | null {
  const sections = changelog.replaceAll("\r\n", "\n").split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`) || text.startsWith(`${version} `));
  if (section === undefined) return null;
  return section
    .slice(section.indexOf("\n") + 1)
    .replace(/^\[[^\]]+\]: .*$/gm, "")
    .trim();
}

/** The date of a version, `2026-11-22`; null if its heading has none. */
export function dateOf(changelog: string, version: string): string | null {
  const heading = changelog.split("\n").find((line) => line.startsWith(`## [${version}]`)) ?? "";
  return /\d{4}-\d{2}-\d{2}/.exec(heading)?.[0] ?? null;
}
