import type { ProjectFiles } from "../detect/files.ts";

/** The kind of a BMAD planning document, judged by its path (as in bmalph). */
export type ArtifactKind = "prd" | "architecture" | "readiness" | "stories" | "sprint-status" | "other";
export type Artifact = { path: string; kind: ArtifactKind; text: string };

const MAX_DEPTH = 6;
const MAX_FILES = 500;

/** All Markdown documents of a planning folder, and the sprint status. Does not follow links. */
export function readArtifacts(files: ProjectFiles, folder: string): Artifact[] {
  const found: Artifact[] = [];
  const visit = (at: string, depth: number) => {
    for (const { name, kind } of files.list(at)) {
      const path = `${at}/${name}`;
      if (kind === "folder" && depth < MAX_DEPTH) visit(path, depth + 1);
      if (kind === "folder" || found.length >= MAX_FILES || !/\.(?:md|ya?ml)$/i.test(name)) continue;
      const artifact = artifactKind(path.slice(folder.length + 1));
      const text = /\.md$/i.test(name) || artifact === "sprint-status" ? files.read(path) : null;
      if (text !== null)
        found.push({ path, kind: artifact, text: text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n") });
    }
  };
  visit(folder, 0);
  return found;
}

/** @param path relative to the planning folder */
export function artifactKind(path: string): ArtifactKind {
  const lower = path.toLowerCase();
  if (/(?:^|\/)sprint[-_]status\.ya?ml$/.test(lower)) return "sprint-status";
  const tokens = lower.replace(/\.\w+$/, "").split(/[^a-z0-9]+/);
  const has = (...words: string[]) => words.some((word) => tokens.includes(word));
  if (has("readiness")) return "readiness";
  // BMAD 6 names a story's file by its number alone: 1-2-sign-in.md
  if (/(?:^|\/)\d+[-.]\d+[-.][^/]+\.md$/.test(lower)) return "stories";
  if (has("epic", "epics", "story", "stories")) return "stories";
  if (has("prd")) return "prd";
  return lower.includes("architect") ? "architecture" : "other";
}
