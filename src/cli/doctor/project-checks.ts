import { existsSync } from "node:fs";
import { basename } from "node:path";
import { parseProjectPlan, planComplete } from "../../core/plan/fix-plan.ts";
import { foldsCase, insideProject } from "../../core/project-path.ts";
import { type CheckResult, failed, failedBy, passed, warned } from "../../core/report/check-result.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { reasonOf, writeHint } from "../../core/system-error.ts";
import { filesBack } from "../../core/words.ts";
import type { Host } from "../../driver.ts";
import { writeRefusal } from "../../effects/files/writable.ts";
import {
  checkRalphDir,
  noFileAsPlan,
  type ProjectPaths,
  READ_HINT,
  readOptional,
  requireText,
} from "../../effects/project/project-paths.ts";
import { readWorkTexts } from "../../effects/project/work-texts.ts";
import { createWorkspace } from "../../effects/project/workspace.ts";
import { hasNothingToDo } from "../../setup/nothing-to-do.ts";
import { promptHint } from "../run/prompt-hint.ts";

/** The folder, its repository, the prompt and the plan. */
export function projectChecks(paths: ProjectPaths, settings: Settings, host: Host): CheckResult[] {
  return [folderCheck(paths), gitCheck(paths, settings, host), promptCheck(paths), planCheck(paths, settings)];
}

function folderCheck({ project, ralph }: ProjectPaths): CheckResult {
  try {
    checkRalphDir(project);
  } catch (error) {
    return failedBy("folder", error);
  }
  for (const folder of [project, ralph]) {
    const refusal = writeRefusal(folder);
    if (refusal === null) continue;
    const hint = writeHint(refusal, `chmod u+rwX ${JSON.stringify(folder)}`);
    return failed("folder", `${folder} cannot be written: ${reasonOf(refusal)}.`, hint);
  }
  return passed("folder", project);
}

function gitCheck({ project }: ProjectPaths, settings: Settings, host: Host): CheckResult {
  const workspace = createWorkspace(project, { env: host.env });
  if (!workspace.isGitRepository) return warned("git", `No repository: ${filesBack(settings)}.`, "git init");
  const head = workspace.head();
  if (head === null) return warned("git", "The repository has no commit yet.", 'git add -A && git commit -m "start"');
  return passed("git", `at ${head.slice(0, 10)}`);
}

/** What a run would refuse of a file that is there; null for nothing. */
function unreadable(name: "prompt" | "plan", path: string): CheckResult | null {
  try {
    requireText(path, `The ${name}`, READ_HINT);
    return null;
  } catch (error) {
    return failedBy(name, error);
  }
}

function promptCheck({ project, prompt }: ProjectPaths): CheckResult {
  const refused = existsSync(prompt) ? unreadable("prompt", prompt) : null;
  if (refused !== null) return refused;
  const text = readOptional(prompt);
  // Set-up makes the usual file, and no other.
  const isNamed = basename(prompt) !== "PROMPT.md";
  const shown = insideProject(prompt, project, foldsCase(process.platform)) ?? prompt;
  if (text === null) return failed("prompt", `There is no ${shown}.`, promptHint("missing", isNamed));
  return text.trim() === ""
    ? failed("prompt", `${shown} is empty.`, promptHint("empty", isNamed))
    : passed("prompt", shown);
}

function planCheck(paths: ProjectPaths, settings: Settings): CheckResult {
  const plan = paths.plan ?? noFileAsPlan(paths);
  const refused = plan === null ? null : unreadable("plan", plan);
  if (refused !== null) return refused;
  if (hasNothingToDo(readWorkTexts(paths)))
    return warned(
      "plan",
      "Nothing says what is to be done: no box, and no spec that says more than a title.",
      'ralph import FILE, or ralph "TEXT"',
    );
  const parsed = parseProjectPlan(readOptional(plan), settings);
  if (parsed === null) return passed("plan", "none; the agent alone says when it is done");
  const { counts } = parsed;
  if (planComplete(counts))
    return warned(
      "plan",
      `${counts.total === 1 ? "The one task is" : `All ${counts.total} tasks are`} done: a run would end at once.`,
      "ralph plan",
    );
  return passed("plan", counts.total === 0 ? "without boxes" : `${counts.checked} of ${counts.total} done`);
}
