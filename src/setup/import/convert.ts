import { folderNameFrom } from "../folder-name.ts";
import { codeOf, oneLineOf } from "../foreign-text.ts";
import { distinct } from "../plan/merge.ts";
import type { Task } from "../plan/task.ts";
import type { WantedFile } from "../project-files.ts";
import { anchorOf, outlineOf, type Section } from "./outline.ts";
import { tasksOf } from "./requirements.ts";
import { originLine } from "./spec-base.ts";

/** A document, read: its text as Markdown, and the name that it is shown under. */
export type SourceDocument = { name: string; text: string };

/** What a document becomes: tasks for the plan, its own words as specifications, and the goal for the prompt. */
export type Converted = { title: string; tasks: Task[]; specs: WantedFile[]; objective: string };

/** A longer document is cut into a file for each of its chapters: an agent reads what it needs. */
const LONG = 48_000;

/**
 * Turns a document into plan, specs and goal without any agent: the same document always gives the same files. The specs
 * hold every word of it, so that nothing can be lost; the plan names the place of each task in them.
 * @param base name of the main spec file, without ending
 */
export function convertDocument({ name, text }: SourceDocument, base = "requirements"): Converted {
  const clean = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\s+$/, "");
  const sections = outlineOf(clean);
  const title = oneLineOf(
    sections.find(({ level, title }) => level > 0 && title !== "")?.title ?? name.replace(/\.\w+$/, ""),
    100,
  );
  const cuts = clean.length > LONG ? chapters(sections) : [];
  const files = cuts.length > 1 ? manyFiles(clean, cuts, { name, base, title }) : [oneFile(clean, { name, base })];
  const places = placesOf(sections, files);
  return {
    title,
    tasks: distinct(tasksOf(clean, { specOf: places })),
    specs: files.map(({ path, content }) => ({ path, content, ours: true })),
    objective: `The goal: build what \`.ralph/specs/${base}.md\` describes (${codeOf(title)}).`,
  };
}

/** A spec file, and the lines of the document that are in it. */
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
  const parts = cuts.map((section, index): SpecFile & { heading: string } => {
    const to = (cuts[index + 1]?.line ?? lines.length + 1) - 1;
    const file = `${base}-${String(index + 1).padStart(2, "0")}-${folderNameFrom(section.title).slice(0, 40).replace(/-+$/, "")}.md`;
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

/** The sections at whose heads a long document is cut: its chapters. */
function chapters(sections: readonly Section[]): Section[] {
  const headed = sections.filter(({ level }) => level > 0);
  const top = headed.filter(({ level }) => level === 1);
  return top.length > 1 ? top : headed.filter(({ level }) => level === 2);
}

/** For a line the file that it went into, with the heading above it. */
function placesOf(sections: readonly Section[], files: readonly SpecFile[]): (line: number) => string {
  const headed = sections.filter(({ level }) => level > 0);
  return (line) => {
    const file = files.find(({ from, to }) => line >= from && line <= to) ?? files[0];
    const heading = lastAtOrBefore(headed, line);
    const anchor = heading === null ? "" : anchorOf(heading.title);
    const path = file?.path ?? "";
    return anchor === "" || (heading?.line ?? 0) < (file?.from ?? 0) ? path : `${path}#${anchor}`;
  };
}

function lastAtOrBefore(sections: readonly Section[], line: number): Section | null {
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sections[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return sections[low - 1] ?? null;
}
