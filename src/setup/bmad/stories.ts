import { anchorOf, plainTitle } from "../import/outline.ts";

export type Story = {
  /** `1.2`, as the document says it. */
  id: string;
  title: string;
  epic: string | null;
  description: string[];
  criteria: string[];
  /** The document, and the heading's anchor in it. */
  path: string;
  anchor: string;
};

export type Epic = { title: string; goal: string };
export type StoryDocument = { stories: Story[]; epics: Epic[]; malformed: string[] };

const EPIC = /^##\s+(?:Epic|Épico)\s+(\d+)\s*[:.–—-]\s*(.+)$/i;
const STORY = /^###\s+(?:Story|História|Historia)\s+([^\s:]+)\s*[:–—-]\s*(.+)$/i;
const CRITERIA = /^(?:#{2,6}\s+|\*\*)?(?:acceptance criteria|critérios de aceite|criterios de aceptación)\b/i;

/** The epics and stories of a document, with what each is accepted by. */
export function readStories(path: string, text: string): StoryDocument {
  const result: StoryDocument = { stories: [], epics: [], malformed: [] };
  let epic: Epic | null = null;
  let body: { lines: string[]; story: Story } | null = null;
  let inGoal = false;
  const finish = () => {
    if (body !== null) Object.assign(body.story, splitBody(body.lines));
    body = null;
  };
  for (const line of text.split("\n")) {
    const [, , epicTitle] = EPIC.exec(line) ?? [];
    const [, id, title] = STORY.exec(line) ?? [];
    if (epicTitle !== undefined) {
      finish();
      epic = { title: plainTitle(line.replace(/^##\s+/, "")), goal: "" };
      result.epics.push(epic);
      inGoal = true;
    } else if (id !== undefined && title !== undefined) {
      finish();
      inGoal = false;
      if (!/^\d+(?:\.\d+)*$/.test(id)) result.malformed.push(id);
      const story = {
        id,
        title: plainTitle(title),
        epic: epic?.title ?? null,
        description: [],
        criteria: [],
        path,
        anchor: anchorOf(plainTitle(line.replace(/^#+\s+/, ""))),
      };
      result.stories.push(story);
      body = { lines: [], story };
    } else if (/^##?\s/.test(line)) {
      finish();
      inGoal = false;
      epic = /^#\s/.test(line) ? epic : null;
    } else if (body !== null) (body as { lines: string[] }).lines.push(line);
    else if (inGoal && epic !== null && !line.startsWith("#") && line.trim() !== "")
      epic.goal = `${epic.goal} ${plainTitle(line)}`.trim();
  }
  finish();
  return result;
}

/** What comes before the criteria describes; a criterion begins at each Given, bullet or number, and goes on below. */
function splitBody(lines: readonly string[]): Pick<Story, "description" | "criteria"> {
  const start = lines.findIndex((line) => CRITERIA.test(line.trim()) || /^[\s*_-]*Given\b/i.test(line));
  const before = start === -1 ? lines : lines.slice(0, start);
  const description = before.map((line) => plainTitle(line.replace(/^#+\s+/, ""))).filter((line) => line !== "");
  const criteria: string[] = [];
  let open = false;
  for (const line of start === -1 ? [] : lines.slice(start)) {
    const words = plainTitle(line.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?/, ""));
    const isItem = /^\s{0,1}(?:[-*+]|\d+[.)])\s/.test(line);
    if (words === "" || CRITERIA.test(line.trim())) {
      open = open && words === "";
      continue;
    }
    if (/^#{1,6}\s/.test(line)) break;
    const goesOn = open && (/^(?:When|Then|And|But)\b/i.test(words) || /^\s{2,}/.test(line));
    if (/^Given\b/i.test(words) || (isItem && !goesOn) || !open) criteria.push(words);
    else criteria.push(`${criteria.pop() ?? ""}, ${words}`);
    open = true;
  }
  return { description, criteria };
}

/** By their numbers; ids that are none come last, as they came. */
export function byNumber(a: Story, b: Story): number {
  const [one, two] = [a, b].map(({ id }) => (/^\d+(?:\.\d+)*$/.test(id) ? id.split(".").map(Number) : null));
  if (one === null || two === null || one === undefined || two === undefined) return (one ? 0 : 1) - (two ? 0 : 1);
  for (let at = 0; at < Math.max(one.length, two.length); at += 1) {
    const difference = (one[at] ?? -1) - (two[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
