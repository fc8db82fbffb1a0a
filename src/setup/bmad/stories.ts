import { parseHeading } from "../../core/text/markdown-blocks.ts";
import { plainTitle } from "../import/formats/inline.ts";
import { anchorsOf } from "../import/read/outline.ts";

export type Story = {
  /** `1.2`, as written in the document. */
  id: string;
  title: string;
  epic: string | null;
  description: string[];
  criteria: string[];
  /** Its own document marks it as done. */
  isDone: boolean;
  /** It has a document of its own, with more detail than the list of epics. */
  isOwn: boolean;
  /** The document, and the anchor of the heading in it. */
  path: string;
  anchor: string;
};

export type Epic = { title: string; goal: string };
export type StoryDocument = { stories: Story[]; epics: Epic[]; malformed: string[] };

/** `Epic 1: Accounts`, and `Epic 1 Accounts` as BMAD 4 writes it. */
const EPIC = /^(?:Epic|Épico)\s+\d+(?:\s*[:.–—-]\s*|\s+)\S/i;
const STORY =
  /^(?:Story|História|Historia)\s+([^\s:–—]*\d[^\s:–—]*|\S{1,3}(?=\s*[:–—-]\s))(?:\s*[:–—-]\s*|\s+)(\S.*)$/i;
const CRITERIA = /^(?:#{2,6}\s+|\*\*)?(?:acceptance criteria|critérios de aceite|criterios de aceptación)\b/i;
/** The parts of a story's own document that describe the story. */
const DESCRIPTIVE =
  /^(?:user )?(?:story|história|historia|description|acceptance criteria|critérios de aceite|criterios de aceptación)\b/i;

type OpenEpic = { of: Epic; level: number; isGoal: boolean };
type Open = { story: Story; level: number; lines: string[]; isHidden: boolean };

/** Reads the epics, stories and acceptance criteria of a document: a list of epics, or the document of one story. */
export function readStories(path: string, text: string): StoryDocument {
  const result: StoryDocument = { stories: [], epics: [], malformed: [] };
  const lines = text.split("\n");
  const titles = lines.flatMap((line) => parseHeading(line)?.title || []);
  const anchors = anchorsOf(titles.map(plainTitle));
  /** The current epic; `isGoal` while its description continues. */
  let epic: OpenEpic | null = null;
  let open: Open | null = null;
  let heading = -1;
  const finish = () => {
    if (open !== null) Object.assign(open.story, splitBody(open.lines), { isDone: isMarkedDone(open.lines) });
    open = null;
  };
  for (const line of lines) {
    const { level = 0, title = "" } = parseHeading(line) ?? {};
    if (title !== "") heading += 1;
    const [, id, name] = STORY.exec(plainTitle(title)) ?? [];
    if (EPIC.test(title)) {
      finish();
      epic = { of: { title: plainTitle(title), goal: "" }, level, isGoal: true };
      result.epics.push(epic.of);
    } else if (id !== undefined && name !== undefined) {
      finish();
      epic = withoutGoal(epic);
      if (!/^\d+(?:\.\d+)*$/.test(id)) result.malformed.push(id);
      const isOwn = level === 1;
      const story = {
        id,
        title: name,
        epic: epic?.of.title ?? null,
        description: [],
        criteria: [],
        isDone: false,
        isOwn,
      };
      open = { story: { ...story, path, anchor: anchors[heading] ?? "" }, level, lines: [], isHidden: false };
      result.stories.push(open.story);
    } else if (level > 0 && level <= (open?.level ?? 0)) {
      finish();
      if (epic !== null && level <= epic.level) epic = null;
    } else if (open !== null) takeLine(open, line, level);
    else if (level > (epic?.level ?? 6)) epic = withoutGoal(epic);
    else if (level > 0) epic = null;
    else if (epic?.isGoal === true && line.trim() !== "") epic.of.goal = `${epic.of.goal} ${plainTitle(line)}`.trim();
  }
  finish();
  return result;
}

function withoutGoal(epic: OpenEpic | null): OpenEpic | null {
  return epic === null ? null : { ...epic, isGoal: false };
}

/** Takes only the descriptive parts of a story's own document, but every line of a story in a list. */
function takeLine(open: Open, line: string, level: number): void {
  if (open.level === 1 && level === 2)
    open.isHidden = !DESCRIPTIVE.test(line.replace(/^#+\s+/, "")) && !/^#+\s+status\b/i.test(line);
  if (open.isHidden) return;
  if (open.level === 1 && /^#+\s+(?:user )?story\s*$/i.test(line)) return;
  open.lines.push(line);
}

/** The epics and their goals, each once: an overview and the parts of a document name the same epics. */
export function distinctEpics(epics: readonly Epic[]): Epic[] {
  const goals = new Map<string, string>();
  for (const { title, goal } of epics) if (goal !== "" || !goals.has(title)) goals.set(title, goal);
  return [...goals].map(([title, goal]) => ({ title, goal }));
}

const STATUS = /^(?:#{2,6}\s+|\*\*)?status\b\W*(.*)$/i;

/** Whether the story has `Status: done`, on one line or as a heading with the value below. */
function isMarkedDone(lines: readonly string[]): boolean {
  const at = lines.findIndex((line) => STATUS.test(line.trim()));
  if (at === -1) return false;
  const own = STATUS.exec((lines[at] ?? "").trim())?.[1] ?? "";
  const value = own === "" ? (lines.slice(at + 1).find((line) => line.trim() !== "") ?? "") : own;
  return /^(?:done|completed?)\b/i.test(plainTitle(value));
}

/**
 * Lines before the criteria are the description. A criterion begins at each Given, bullet or number and may continue
 * below.
 */
function splitBody(all: readonly string[]): Pick<Story, "description" | "criteria"> {
  const lines = withoutStatus(all);
  const start = lines.findIndex((line) => CRITERIA.test(line.trim()) || /^[\s*_-]*Given\b/i.test(line));
  const before = start === -1 ? lines : lines.slice(0, start);
  const description = before.map((line) => plainTitle(line.replace(/^#+\s+/, ""))).filter((line) => line !== "");
  const criteria: string[] = [];
  let open = false;
  for (const line of start === -1 ? [] : lines.slice(start)) {
    const words = plainTitle(line.replace(/^\s*(?:[-*+]|\d+[.):])\s+(?:\[[ xX]\]\s*)?/, ""));
    const isItem = /^\s{0,1}(?:[-*+]|\d+[.):])\s/.test(line);
    if (words === "" || CRITERIA.test(line.trim())) {
      open = open && words === "";
      continue;
    }
    if (/^#{1,6}\s/.test(line)) break;
    const goesOn = open && (/^(?:When|Then|And|But)\b/i.test(words) || /^\s{2,}/.test(line));
    if (/^Given\b/i.test(words) || (isItem && !goesOn) || !open) criteria.push(words);
    else criteria.push(`${(criteria.pop() ?? "").replace(/,$/, "")}, ${words}`);
    open = true;
  }
  return { description, criteria };
}

/** The lines without those that only state the status. */
function withoutStatus(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => STATUS.test(line.trim()));
  if (at === -1) return [...lines];
  const isHeading = /^#/.test(lines[at] ?? "");
  const value = isHeading ? lines.findIndex((line, index) => index > at && line.trim() !== "") : at;
  return lines.filter((_, index) => index !== at && index !== value);
}

/**
 * The stories of all documents, one per number. A story's own document wins over the list of epics, because it has the
 * acceptance criteria.
 */
export function mergeStories(stories: readonly Story[]): Story[] {
  const own = new Map(stories.flatMap((story) => (story.isOwn ? [[story.id, story] as const] : [])));
  // A PRD and the parts that it was split into repeat the same stories.
  const seen = new Set<string>();
  const listed = stories.filter(({ isOwn, id, title }) => {
    if (isOwn || seen.has(`${id} ${title}`)) return false;
    seen.add(`${id} ${title}`);
    return true;
  });
  const ids = new Set(listed.map(({ id }) => id));
  const one = listed.map((story): Story => {
    const more = own.get(story.id);
    if (more === undefined) return story;
    return {
      ...more,
      epic: story.epic,
      description: more.description.length > 0 ? more.description : story.description,
      criteria: more.criteria.length > 0 ? more.criteria : story.criteria,
    };
  });
  return [...one, ...stories.filter(({ id, isOwn }) => isOwn && !ids.has(id))].sort(byNumber);
}

/** Compares by number; ids that are no numbers come last, in their original order. */
export function byNumber(a: Story, b: Story): number {
  const [one, two] = [a, b].map(({ id }) => (/^\d+(?:\.\d+)*$/.test(id) ? id.split(".").map(Number) : null));
  if (one === null || two === null || one === undefined || two === undefined) return (one ? 0 : 1) - (two ? 0 : 1);
  for (let at = 0; at < Math.max(one.length, two.length); at += 1) {
    const difference = (one[at] ?? -1) - (two[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
