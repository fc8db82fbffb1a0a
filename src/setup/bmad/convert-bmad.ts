import { mergeSpec } from "../import/merge-spec.ts";
import { matchTasks, toIdentity } from "../plan/match.ts";
import type { Task } from "../plan/task.ts";
import type { Content } from "../prepare.ts";
import { sanitizeLine } from "../sanitize-text.ts";
import type { ScaffoldFile } from "../scaffold-files.ts";
import type { Artifact } from "./artifacts.ts";
import { type Complaint, checkBmadPlan } from "./check-bmad-plan.ts";
import { readSprintStatus } from "./sprint-status.ts";
import { distinctEpics, mergeStories, readStories, type Story, type StoryDocument } from "./stories.ts";

export type BmadImport = { content: Content; complaints: Complaint[]; stories: number };

const LARGE = 50_000;
const MAX_DESCRIPTION = 3;
const MAX_LINE = 300;

/**
 * Converts a BMAD plan to Ralph's files: a box for each story with its criteria, the documents as specs with an index.
 * A sprint status, if there is one, decides which stories are done.
 * @param folder of the planning documents: the prefix of the artifacts' paths
 * @param project reads its specs, which hold what the last import saw: so a user's words are told from the document's
 */
export function convertBmad(
  artifacts: readonly Artifact[],
  folder: string,
  project: { read(path: string): string | null } = { read: () => null },
): BmadImport {
  const plan = planIn(artifacts, folder);
  const earlier = artifacts.flatMap((artifact) => {
    const text = project.read(`.ralph/${specPath(artifact.path, folder)}`)?.replace(/\r\n?/g, "\n");
    return text === undefined ? [] : { ...artifact, text };
  });
  const status = artifacts.find(({ kind }) => kind === "sprint-status");
  const sprint = status === undefined ? null : readSprintStatus(status.text);
  const complaints = checkBmadPlan(artifacts, plan);
  if (sprint !== null && sprint.problem !== null) {
    complaints.push({
      code: "W11",
      level: "warning",
      text: `The sprint status cannot be read: ${sprint.problem}. No story counts as done.`,
    });
  }
  const ours = (path: string, content: string): ScaffoldFile => ({ path, content, ours: true });
  const copies = artifacts
    .filter(({ path }) => /\.md$/i.test(path))
    .map(({ path, text }) => ({ ...ours(`.ralph/${specPath(path, folder)}`, text), merge: mergeSpec }));
  return {
    content: {
      // A sprint status, if there is one, overrides the documents.
      tasks: withEarlier(
        plan.stories.map((story) => taskOf(story, sprint?.done.has(story.id) ?? story.isDone)),
        planIn(earlier, folder).stories.map((story) => taskOf(story, false)),
      ),
      files: [...copies, ours(".ralph/SPECS_INDEX.md", indexOf(artifacts, folder))],
      objective:
        "The goal: the stories of the plan, as described in `.ralph/specs/`. `.ralph/SPECS_INDEX.md` says what stands where.",
      notes: plan.epics
        .filter(({ goal }) => goal !== "")
        .map(({ title, goal }) => `${title}: ${sanitizeLine(goal, MAX_LINE)}`),
    },
    complaints,
    stories: plan.stories.length,
  };
}

function planIn(artifacts: readonly Artifact[], folder: string): StoryDocument {
  const documents = artifacts
    // BMAD 4 writes its epics into the PRD.
    .filter(({ kind }) => kind === "stories" || kind === "prd")
    .map(({ path, text }) => readStories(specPath(path, folder), text));
  return {
    stories: mergeStories(documents.flatMap(({ stories }) => stories)),
    epics: distinctEpics(documents.flatMap(({ epics }) => epics)),
    malformed: documents.flatMap(({ malformed }) => malformed),
  };
}

/** The stories, each with what it was in the last import; without one before, what they say holds. */
function withEarlier(tasks: readonly Task[], earlier: readonly Task[]): readonly Task[] {
  if (earlier.length === 0) return tasks;
  const found = matchTasks(earlier.map(toIdentity), tasks);
  return tasks.map((task) => ({ ...task, was: found.get(task)?.task ?? null }));
}

function taskOf({ id, title, epic, description, criteria, path, anchor }: Story, done: boolean): Task {
  return {
    id: `Story ${id}`,
    title: sanitizeLine(title, MAX_LINE),
    priority: "high",
    done,
    details: [
      ...description.slice(0, MAX_DESCRIPTION),
      ...criteria.map((criterion) => `AC: ${criterion}`),
      `Spec: .ralph/${path}#${anchor}`,
    ].map((line) => sanitizeLine(line, MAX_LINE)),
    ...(epic === null ? {} : { group: sanitizeLine(epic, MAX_LINE) }),
  };
}

/**
 * The path below `specs/`: relative to the planning folder, or with the name of its own folder for a document beside
 * it.
 */
function specPath(path: string, folder: string): string {
  if (path.startsWith(`${folder}/`)) return `specs/${path.slice(folder.length + 1)}`;
  return `specs/${path.split("/").slice(-2).join("/")}`;
}

const PRIORITY: Readonly<Record<Artifact["kind"], string>> = {
  prd: "critical",
  architecture: "critical",
  stories: "high",
  readiness: "low",
  "sprint-status": "low",
  other: "medium",
};

function indexOf(artifacts: readonly Artifact[], folder: string): string {
  const order = ["critical", "high", "medium", "low"];
  const rows = artifacts
    .filter(({ path }) => /\.md$/i.test(path))
    .map(({ path, kind, text }) => ({
      path: specPath(path, folder),
      kind,
      size: text.length,
      priority: PRIORITY[kind],
    }))
    .sort((a, b) => order.indexOf(a.priority) - order.indexOf(b.priority) || (a.path < b.path ? -1 : 1))
    .map(
      ({ path, kind, size, priority }) =>
        `| ${path.replaceAll("|", "\\|")}${size >= LARGE ? " [LARGE]" : ""} | ${kind} | ${priority} | ${Math.ceil(size / 1024)} kB |`,
    );
  return `# Index of the specifications\n\n| file | what | priority | size |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}
