import { basename, join, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { openProjectFiles } from "../../effects/project/open-project-files.ts";
import { readArtifacts } from "../../setup/bmad/artifacts.ts";
import { readStories } from "../../setup/bmad/stories.ts";
import { pathIn } from "../../setup/detect/files.ts";
import type { SourceDocument } from "../../setup/import/formats/convert-document.ts";
import type { Content } from "../../setup/prepare.ts";
import { completenessOf } from "../../setup/tasks/completeness.ts";
import { documentFromIssue, issueReference } from "../../setup/tasks/from-github.ts";
import type { Issue } from "../../setup/tasks/github-issue.ts";
import { bmadContent } from "../setup/bmad-content.ts";
import { githubIssue } from "../setup/gather-tasks.ts";
import type { Site } from "../setup/inspect-site.ts";
import { documentName, readDocument } from "../setup/read-document.ts";
import { safeStat } from "./safe-stat.ts";

/** The source to import: a document, which the agent may work on, or content that already is tasks. */
export type ImportSource =
  | {
      document: SourceDocument;
      issue: Issue | null;
      /** Where it lies, absolute; null for an issue. */
      path: string | null;
    }
  | { content: Content; warnings: string[] };

/** Orders the chapters of a document made of several files: `2-x` before `10-y`. */
const BY_NAME = new Intl.Collator("en", { numeric: true });
const MAX_FILES = 200;

/**
 * Reads the source that an import names: a file, a folder of documents or of a BMAD plan, or an issue.
 * @param from the folder that paths are relative to
 * @throws RalphError if it is missing or cannot be read
 */
export async function findSource(
  source: string,
  { from, site, force }: { from: string; site: Site; force: boolean },
): Promise<ImportSource> {
  const path = resolve(from, source);
  const stat = safeStat(path, { follows: false });
  const reference = stat === undefined ? issueReference(source) : null;
  if (reference !== null) {
    const issue = await githubIssue(site, reference);
    return { document: documentFromIssue(issue, otherRepository(reference, site)), issue, path: null };
  }
  if (stat?.isDirectory() === true) return findFolder(path, source, { site, force });
  return { document: await readDocument(path, source), issue: null, path };
}

/** A source whose document is called as `documentName` calls it in a project. */
export function namedIn(project: string, source: ImportSource): ImportSource {
  if (!("document" in source) || source.path === null) return source;
  return { ...source, document: { ...source.document, name: documentName(project, source.path) } };
}

async function findFolder(
  path: string,
  shown: string,
  { site, force }: { site: Site; force: boolean },
): Promise<ImportSource> {
  const files = openProjectFiles(path);
  // Opened from the parent folder, so that the documents' paths keep the folder's name.
  const above = openProjectFiles(join(path, ".."));
  const folder = basename(path);
  const isBmad = readArtifacts(above, folder).some(
    ({ kind, path: file, text }) =>
      (kind === "stories" || kind === "prd") && readStories(file, text).stories.length > 0,
  );
  if (isBmad) return bmadContent({ files: above }, folder, force, site);
  const names = documentsIn(files, "");
  if (names.length === 0)
    throw new RalphError("usage", `${shown} holds no document that ralph reads.`, {
      hint: "It reads .md, .txt, .json, .pdf and .docx.",
    });
  if (names.length > MAX_FILES)
    throw new RalphError("usage", `${shown} holds more than ${MAX_FILES} documents.`, {
      hint: "Import the folder, or the file, that says what to build.",
    });
  const parts = await Promise.all(names.map((name) => readDocument(join(path, ...name.split("/")), name)));
  const text = parts
    .map((part, index) => (/^\s*#\s/.test(part.text) ? part.text : `# ${names[index]}\n\n${part.text}`))
    .join("\n\n");
  const rough = parts.find((part) => part.rough)?.rough ?? null;
  return { document: { name: folder, text, rough }, issue: null, path };
}

function documentsIn(files: ReturnType<typeof openProjectFiles>, folder: string, depth = 0): string[] {
  const entries = files.list(folder).toSorted((a, b) => BY_NAME.compare(a.name, b.name));
  return entries.flatMap(({ name, kind }) => {
    const path = pathIn(folder, name);
    if (kind === "folder")
      return depth < 3 && !name.startsWith(".") && name !== "node_modules" ? documentsIn(files, path, depth + 1) : [];
    return /\.(?:md|markdown|txt|pdf|docx)$/i.test(name) ? [path] : [];
  });
}

/** The repository of an issue, if it is not the project's own. */
function otherRepository(
  { owner, repo }: NonNullable<ReturnType<typeof issueReference>>,
  { findings: { github } }: Site,
): { owner: string; repo: string } | null {
  if (owner === null || repo === null) return null;
  const isOwn = github !== null && sameName(owner, github.owner) && sameName(repo, github.repo);
  return isOwn ? null : { owner, repo };
}

function sameName(one: string, two: string): boolean {
  return one.toLowerCase() === two.toLowerCase();
}

/** Whether an issue has enough detail to be imported by rules alone (from the bash original). */
export function isDetailedEnough(issue: Issue | null): boolean {
  return issue !== null && completenessOf(issue.body).recommendation === "convert";
}
