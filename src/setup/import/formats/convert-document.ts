import { folderNameFrom } from "../../folder-name.ts";
import { distinct } from "../../plan/merge.ts";
import type { Task } from "../../plan/task.ts";
import { inlineCode, sanitizeLine } from "../../sanitize-text.ts";
import type { ScaffoldFile } from "../../scaffold-files.ts";
import { specGoal } from "../../scaffold-files.ts";
import { mergeSpec } from "../merge-spec.ts";
import { issueTasks } from "../read/issue-tasks.ts";
import { inMilestoneOrder } from "../read/milestones.ts";
import { anchorsOf, readOutline, type Section } from "../read/outline.ts";
import { readTasks } from "../read/requirements.ts";
import { unnumbered } from "../read/section-kind.ts";
import { originLine } from "../spec-base.ts";

/** A document that was read: its text as Markdown. */
export type SourceDocument = {
  /** How it is shown, and told from other documents: its path from the project, or its name if it lies elsewhere. */
  name: string;
  text: string;
  /** Why rules read it only roughly; null or absent if they read it well. */
  rough?: string | null;
  /** The issue that the whole document describes, if it is one. */
  about?: Task;
};

/** The result of a conversion: tasks for the plan, the document's own text as specs, and the goal for the prompt. */
export type ConvertedDocument = { title: string; tasks: Task[]; specs: ScaffoldFile[]; objective: string };

/** A longer document is split into one file per chapter, so an agent can read only the part it needs. */
const LONG = 48_000;

/**
 * Converts a document to plan, specs and goal without an agent. The result is deterministic. The specs hold every word,
 * and the plan links each task to its place in them.
 * @param base name of the main spec file, without ending
 */
export function convertDocument({ name, text, about }: SourceDocument, base = "requirements"): ConvertedDocument {
  const clean = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\s+$/, "");
  const outline = readOutline(clean);
  const sections = outline.filter(({ isHeading, level }) => isHeading || level === 0);
  const headings = sections.filter(({ isHeading, title }) => isHeading && title !== "");
  const title = sanitizeLine(headings[0]?.title ?? name.replace(/^.*\/|\.\w+$/g, ""), 100);
  const cuts = clean.length > LONG ? chapters(sections, clean) : [];
  const files = cuts.length > 1 ? manyFiles(clean, cuts, { name, base, title }) : [oneFile(clean, { name, base })];
  const places = placesOf(sections, files);
  const read = readTasks(clean, { specOf: places, ...(about === undefined ? {} : { usual: about.priority }) });
  const tasks = inMilestoneOrder(read, outline);
  return {
    title,
    tasks: distinct(about === undefined ? tasks : issueTasks(about, tasks)),
    specs: files.map(({ path, content }) => ({ path, content, ours: true, merge: mergeSpec })),
    objective: specGoal(base, inlineCode(title)),
  };
}

/** A spec file, and the range of the document's lines in it. */
type SpecFile = { path: string; content: string; from: number; to: number };
type Naming = { name: string; base: string; title: string };

function oneFile(text: string, { name, base }: Omit<Naming, "title">): SpecFile {
  return {
    path: `.ralph/specs/${base}.md`,
    content: `${originLine(name)}\n\n${text}\n`,
    from: 1,
    to: Number.POSITIVE_INFINITY,
  };
}

function manyFiles(text: string, cuts: readonly Section[], { name, base, title }: Naming): SpecFile[] {
  const lines = text.split("\n");
  // Named by the heading's words alone: a chapter keeps its file when another one comes before it.
  const slugs = anchorsOf(
    cuts.map((section) => folderNameFrom(unnumbered(section.title)).slice(0, 40).replace(/-+$/, "")),
  );
  const parts = cuts.map((section, index): SpecFile & { heading: string } => {
    const to = (cuts[index + 1]?.line ?? lines.length + 1) - 1;
    const file = `${base}-${slugs[index]}.md`;
    const own = lines
      .slice(section.line - 1, to)
      .join("\n")
      .trimEnd();
    return {
      path: `.ralph/specs/${file}`,
      content: `${originLine(name)}\n\n${own}\n`,
      from: section.line,
      to,
      heading: section.title,
    };
  });
  const first = cuts[0]?.line ?? 1;
  const preface = lines
    .slice(0, first - 1)
    .join("\n")
    .trimEnd();
  const index = parts
    .map(({ path, heading }) => `- [${heading.replace(/[[\]]/g, "")}](${path.split("/").at(-1)})`)
    .join("\n");
  const content = `${originLine(name)}\n\n${preface === "" ? `# ${title}` : preface}\n\n## Parts\n\n${index}\n`;
  return [{ path: `.ralph/specs/${base}.md`, content, from: 1, to: first - 1 }, ...parts];
}

/**
 * The sections that start a new file of a long document: its chapters, and the parts of a chapter that is long itself.
 */
function chapters(sections: readonly Section[], text: string): Section[] {
  const headings = sections.filter(({ isHeading }) => isHeading);
  const top = headings.filter(({ level }) => level === 1);
  const level = top.length > 1 ? 1 : 2;
  const lines = text.split("\n");
  const cuts = headings.filter((section) => section.level === level);
  return cuts.flatMap((chapter, index) => {
    const end = (cuts[index + 1]?.line ?? lines.length + 1) - 1;
    const size = lines.slice(chapter.line - 1, end).reduce((sum, line) => sum + line.length + 1, 0);
    if (size <= LONG) return [chapter];
    const parts = headings.filter((one) => one.level === level + 1 && one.line > chapter.line && one.line <= end);
    return [chapter, ...parts];
  });
}

/** Maps a line to its spec file and the heading above it. */
function placesOf(sections: readonly Section[], files: readonly SpecFile[]): (line: number) => string {
  const headings = sections.filter(({ isHeading }) => isHeading);
  const fileAt = (line: number) => lastAtOrBefore(files, ({ from }) => from, line);
  const own = Map.groupBy(headings, ({ line }) => fileAt(line));
  const anchors = new Map<Section, string>();
  for (const some of own.values()) {
    const names = anchorsOf(some.map(({ title }) => title));
    for (const [index, section] of some.entries()) anchors.set(section, names[index] ?? "");
  }
  return (line) => {
    const file = fileAt(line);
    const heading = lastAtOrBefore(headings, (one) => one.line, line);
    const anchor = heading === null ? "" : (anchors.get(heading) ?? "");
    const path = file?.path ?? "";
    return anchor === "" || (heading?.line ?? 0) < (file?.from ?? 0) ? path : `${path}#${anchor}`;
  };
}

/** The last of a sorted list that begins at or before a line. */
function lastAtOrBefore<T>(sorted: readonly T[], lineOf: (one: T) => number, line: number): T | null {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle];
    if (one !== undefined && lineOf(one) <= line) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1] ?? null;
}
