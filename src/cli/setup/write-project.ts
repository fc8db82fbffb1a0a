import { existsSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { renameFolder, stagedFolder } from "../../effects/files/staged-folder.ts";
import { newRepository } from "../../effects/project/new-repository.ts";
import { RALPH_DIR } from "../../effects/project/project-paths.ts";
import { applyChanges, type FileChange } from "../../effects/project/project-write.ts";
import type { Content } from "../../setup/prepare.ts";
import type { FileAction } from "../../setup/scaffold.ts";
import { byOwnHand } from "../agent/own-hand.ts";
import type { CommandContext } from "../context.ts";
import { liveRun } from "../run/send-control.ts";
import { askQuestions } from "./ask-questions.ts";
import type { Site } from "./inspect-site.ts";

/** Whether a set-up also makes a git repository: for a new project whose folder lies in none. */
export function beginsRepository({ isNew, git }: Pick<Site, "isNew" | "git">): boolean {
  return isNew && !git.isRepository;
}

/**
 * Writes the planned changes, and keeps old versions below `.ralph/backups/`. A new project gets a git repository with
 * a first commit, unless its folder lies in one. A new folder is filled under another name and renamed at the end, so a
 * kill leaves no half project. The open questions of a document go into the project's inbox.
 * @throws RalphError `environment` if something cannot be written, or a live run would put it back
 */
export async function writeProject(
  context: Pick<CommandContext, "env" | "log">,
  site: Site,
  actions: readonly FileAction[],
  content: Content,
): Promise<void> {
  const { questions = [] } = content;
  requireNoReader(site, actions);
  await byOwnHand(site.dir, site.host.env, () => write(site, inSafeOrder(actions, content), new Date()));
  await askQuestions(context, site.dir, questions);
}

/**
 * After a kill between two files no plan may name a spec that is not there: new specs come first, after what moves. A spec that is
 * there is changed after the plan: the next import tells by its old words which boxes of the plan are the user's own.
 */
function inSafeOrder(actions: readonly FileAction[], { files }: Content): FileAction[] {
  const specs = new Set(files.map(({ path }) => path));
  const rank = ({ kind, path }: FileAction) => (kind === "move" ? 0 : kind === "create" && specs.has(path) ? 1 : 2);
  return actions.toSorted((a, b) => rank(a) - rank(b));
}

/** Files that a live run guards: it takes a new one for its agent's, and puts the old one back. */
const GUARDED = [`${RALPH_DIR}/PROMPT.md`, "PROMPT.md"];

function requireNoReader({ dir }: Site, actions: readonly FileAction[]): void {
  const guarded = actions.flatMap((action) => {
    if (action.kind === "move") return [action.path];
    const isNewSettings = action.kind === "create" && action.path === `${RALPH_DIR}/.ralphrc`;
    return action.kind !== "keep" && (isNewSettings || GUARDED.includes(action.path)) ? [action.path] : [];
  });
  if (guarded[0] === undefined || liveRun(join(dir, RALPH_DIR)) === null) return;
  throw new RalphError(
    "environment",
    `A run is live in this project and works by ${guarded[0]}: nothing was written.`,
    {
      hint: 'Stop it first: ralph stop. Meanwhile, for tasks: ralph plan add "TEXT", and for settings: ralph config set',
    },
  );
}

async function write(site: Site, actions: readonly FileAction[], now: Date): Promise<void> {
  const { dir, git } = site;
  const changes = actions.flatMap((action): FileChange[] => {
    if (action.kind === "keep") return [];
    if (action.kind === "move" || action.kind === "remove" || action.kind === "restore") return [action];
    const { path, content, backup, executable, follows } = action;
    return [{ kind: "write", path, content, backup, executable, follows }];
  });
  const folder = existsSync(dir) ? dir : stagedFolder(dir);
  applyChanges(folder, changes, newBackups(folder, now));
  try {
    if (!beginsRepository(site)) return;
    await newRepository({
      dir: folder,
      files: changes.map((change) => (change.kind === "move" ? change.to : change.path)),
      message: "chore: begin the project with ralph",
      author: { name: git.user.name ?? "ralph", email: git.user.email ?? "ralph@localhost" },
      branch: git.defaultBranch ?? "main",
    });
  } finally {
    if (folder !== dir) renameFolder(folder, dir);
  }
}

/** The folder for backups, named after the time. Two set-ups in a second share none: the later would overwrite. */
function newBackups(folder: string, now: Date): string {
  const stamp = now.toISOString().replace(/\.\d+Z$/, "Z");
  const path = `.ralph/backups/${stamp.replaceAll(":", "-")}`;
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? path : `${path}-${n}`;
    if (!existsSync(join(folder, free))) return free;
  }
}
