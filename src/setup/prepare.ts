import { SETTING_NAMES, type SettingName } from "../core/settings/settings.ts";
import { afterMoves } from "./after-moves.ts";
import type { Answers } from "./answers.ts";
import { assignment } from "./assignment.ts";
import { NO_COMMAND, type SetupFlags } from "./decide-answers.ts";
import type { ProjectFiles } from "./detect/files.ts";
import { detectLayout, type Layout } from "./detect/project-layout.ts";
import { withSetting } from "./edit-settings.ts";
import { planMigration } from "./migrate.ts";
import type { Task } from "./plan/task.ts";
import { type FileAction, planScaffold } from "./scaffold.ts";
import { placesOf, type ScaffoldFile, scaffoldFiles } from "./scaffold-files.ts";
import type { Digest } from "./scaffold-record.ts";
import type { Templates } from "./templates.ts";

/** The part of a project that comes from a document or tracker. */
export type Content = {
  tasks: readonly Task[];
  files: readonly ScaffoldFile[];
  objective: string | null;
  notes: readonly string[];
  /** What a document leaves open, for a person to answer. */
  questions?: readonly string[];
};

export const NO_CONTENT: Content = { tasks: [], files: [], objective: null, notes: [] };

export type Preparation = {
  files: ProjectFiles;
  layout: Layout;
  answers: Answers;
  /** Whether the agent can look at finished work without changing it. */
  looks: boolean;
  templates: Templates;
  flags: SetupFlags;
  content: Content;
  isNew: boolean;
  hasSource: boolean;
  force: boolean;
  migrate: boolean;
  version: string;
};

/** Every change that turns a folder into the Ralph project of the answers. Pure; nothing is written. */
export function prepareProject(input: Preparation, digest: Digest): FileAction[] {
  const { content, flags, force, version } = input;
  const moves = input.migrate ? planMigration(input.layout.kind, input.files) : [];
  const files = afterMoves(input.files, moves);
  const places = placesOf(input.migrate ? detectLayout(files) : input.layout);
  const scaffolded = scaffoldFiles({ ...input, ...content, places }).map((file) =>
    file.path === places.settings ? { ...file, content: changedSettings(file.content, flags) } : file,
  );
  const request = {
    files: [...scaffolded, ...content.files],
    places,
    tasks: content.tasks,
    changeSettings: (text: string) => changedSettings(text, flags),
    force,
    version,
  };
  const moved = new Set(moves.flatMap((move) => (move.kind === "move" ? move.to : [])));
  const scaffold = planScaffold(request, files, digest);
  const actions = scaffold.filter(({ kind, path }) => kind !== "keep" || !moved.has(path));
  return [...moves, ...actions];
}

/** A settings file of the user only gets the settings that were named. */
function changedSettings(text: string, flags: SetupFlags): string {
  return SETTING_NAMES.reduce((lines, name) => {
    const value = name === "TEST_COMMAND" && flags[name] === NO_COMMAND ? "" : flags[name];
    return value === undefined || holds(lines, name, value) ? lines : withSetting(lines, name, value);
  }, text);
}

/** Whether the last line of a setting has this value already, which makes a repetition change nothing. */
function holds(text: string, name: SettingName, value: string): boolean {
  const line = text.split(/\r?\n/).findLast((one) => one.startsWith(`${name}=`));
  return line === undefined ? value === "" : line === assignment(name, value);
}
