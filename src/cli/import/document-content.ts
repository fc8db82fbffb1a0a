import type { AgentAnswer } from "../../setup/import/agent-answer.ts";
import { goalText, tasksOfPlan } from "../../setup/import/agent-answer.ts";
import { documentReport } from "../../setup/import/document-report.ts";
import { convertDocument, type SourceDocument } from "../../setup/import/formats/convert-document.ts";
import { withPreviousTasks } from "../../setup/import/previous-tasks.ts";
import { findGaps } from "../../setup/import/read/gaps.ts";
import { issueTasks } from "../../setup/import/read/issue-tasks.ts";
import { freeSpec, originLine, specBase } from "../../setup/import/spec-base.ts";
import { readSpecPath } from "../../setup/plan/boxes.ts";
import type { Task } from "../../setup/plan/task.ts";
import type { Content } from "../../setup/prepare.ts";
import type { ScaffoldFile } from "../../setup/scaffold-files.ts";
import type { Site } from "../setup/inspect-site.ts";

/** What a document gives to a project by rules alone. */
export function convertedContent(site: Pick<Site, "files">, document: SourceDocument): Content {
  const base = specBase(site.files, document.name);
  const converted = convertDocument(document, base);
  const tasks = withPreviousTasks(converted, site.files, document, base);
  const { questions } = documentReport(document.text, tasks);
  return { tasks, files: converted.specs, objective: converted.objective, notes: [], questions };
}

/**
 * The parts of the document and the files that an answer lacks. The agent is asked for them once more, then they are
 * reported.
 */
export function findMissing(document: SourceDocument, answer: AgentAnswer): { missing: string[]; lacks: string[] } {
  const plan = answer.files.get("@fix_plan.md");
  const specs = [...answer.files.keys()].filter((name) => name.startsWith("specs/"));
  const lacks = [
    ...(plan === undefined || tasksOfPlan(plan).length === 0 ? ["@fix_plan.md"] : []),
    ...(specs.length === 0 ? ["specs/requirements.md"] : []),
    ...(answer.files.has("goal.md") ? [] : ["goal.md"]),
  ];
  return {
    missing: findGaps(document.text, [...answer.files.values()]),
    lacks: [...new Set([...lacks, ...answer.unfinished])],
  };
}

/**
 * What an agent's answer gives to a project. If it leaves out a part of the document, the document's own words join the
 * specs and its tasks join the plan. So nothing is lost, and "done" still requires it.
 */
export function answeredContent(site: Pick<Site, "files">, document: SourceDocument, answer: AgentAnswer): Content {
  const { missing, lacks } = findMissing(document, answer);
  const own = convertedContent(site, document);
  const plan = answer.files.get("@fix_plan.md");
  const planned = plan === undefined ? [] : tasksOfPlan(plan);
  const goal = goalText(answer.files.get("goal.md") ?? "");
  const specs = [...answer.files].flatMap(([name, content]) => {
    const wanted = /^specs\/(.+)\.md$/.exec(name)?.[1];
    if (wanted === undefined) return [];
    const path = `.ralph/specs/${freeSpec(site.files, wanted, document.name)}.md`;
    return { path, content: `${originLine(document.name)}\n\n${content}`, ours: true };
  });
  const needsOwn = missing.length > 0 || lacks.some((name) => name.startsWith("specs/"));
  const taken = new Set(specs.map(({ path }) => path));
  const originals = needsOwn
    ? own.files.map((file) =>
        taken.has(file.path) ? { ...file, path: file.path.replace(/\.md$/, "-original.md") } : file,
      )
    : [];
  const files = [...specs, ...originals];
  const placed = planned.map((task) => withSpec(task, files));
  const tasks = document.about === undefined || placed.length === 0 ? placed : issueTasks(document.about, placed);
  const lost = own.tasks.filter((task) => missing.some((name) => isCalled(task, name)));
  return {
    tasks: tasks.length === 0 ? own.tasks : [...tasks, ...lost],
    files,
    objective: goal === "" ? own.objective : `What is to be built (more in \`.ralph/specs/\`):\n\n${goal}`,
    notes:
      missing.length === 0
        ? []
        : [
            `The import by the agent left out: ${missing.slice(0, 20).join(", ")}${missing.length > 20 ? " …" : ""}. They stand in the specs, in the document's own words.`,
          ],
    questions: own.questions ?? [],
  };
}

/**
 * Adds to a task the spec that covers it, by which later imports recognise its document: the file that names the task,
 * else the first.
 */
function withSpec(task: Task, specs: readonly ScaffoldFile[]): Task {
  const { id, title, details } = task;
  const names = [id, title].flatMap((name) => name?.toLowerCase() ?? []);
  const naming = names
    .map((name) => specs.find(({ content }) => content.toLowerCase().includes(name)))
    .find((file) => file !== undefined);
  const file = naming ?? specs[0];
  if (file === undefined || readSpecPath(details) !== null) return task;
  return { ...task, details: [...details, `Spec: ${file.path}`] };
}

function isCalled({ id, title }: Task, name: string): boolean {
  return [id, title].some((word) => word?.toLowerCase() === name.toLowerCase());
}
