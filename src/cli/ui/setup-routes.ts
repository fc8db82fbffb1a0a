import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { fieldsOf, str } from "../../core/json-value.ts";
import { foldersOf } from "../../effects/files/folder-names.ts";
import { isFolderAt } from "../../effects/files/path-kind.ts";
import { createHost } from "../../effects/host.ts";
import { RALPH_DIR } from "../../effects/project/project-paths.ts";
import type { PartOfRoutes } from "../../effects/ui/server.ts";
import { homeFolder } from "../../effects/user/home.ts";
import { setupPage } from "../../view/ui/setup-page.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { refusal } from "./begin-routes.ts";
import { projectId } from "./projects.ts";

/** An agent may read a long document. */
const TIMEOUT_MS = 900_000;

/**
 * The form that makes a folder a project, or brings tasks into one, below /api/setup.
 * @param projects the user's projects now, absolute
 */
export function setupRoutes({ env, self }: CommandContext<UiArgs>, projects: () => string[]): PartOfRoutes {
  return {
    async read(path, query) {
      if (path === "/api/setup") return { html: setupPage([...projects(), ...foldersOf(homeFolder(env) + sep)]) };
      return path === "/api/setup/folders" ? { json: foldersOf(query.get("of") ?? "") } : null;
    },
    async change(path, body) {
      if (path !== "/api/setup") return null;
      const given = fieldsOf(body);
      const { at, words, project } = commandOf(given);
      const { exit_code, stdout, stderr } = await createHost(at, env).run([...self, "-C", at, ...words], TIMEOUT_MS);
      if (exit_code !== 0) throw refusal(stderr);
      return { json: { told: [stdout, stderr].join("\n").trim(), project: projectId(project) } };
    },
  };
}

/** What the form asks for as a command: `ralph import` where there is a project already and tasks for it, else `ralph setup`. */
function commandOf(given: Record<string, unknown>): { at: string; words: string[]; project: string } {
  const field = (name: string) => (str(given[name]) ?? "").trim();
  const folder = field("folder");
  if (!isAbsolute(folder)) throw new RalphError("usage", "The folder has to be named whole, as in /home/me/shop.");
  const project = resolve(folder);
  const isThere = isFolderAt(project);
  // No system has a name with a zero byte, and none can be handed to a program.
  if (!isThere && (existsSync(project) || project.includes("\0") || !isFolderAt(dirname(project))))
    throw new RalphError("environment", `${project} is no folder, and none can be made there.`);
  const [at, name] = isThere ? [project, []] : [dirname(project), [basename(project)]];
  const preview = given.preview === true ? ["--dry-run"] : [];
  const source = field("source").replace(/^-/, "./-");
  if (source !== "" && isFolderAt(join(project, RALPH_DIR)))
    return {
      at,
      project,
      words: ["import", source, ".", "--yes", given.agent === true ? "--agent" : "--no-agent", ...preview],
    };
  const gate = field("test_command");
  const from = source === "" ? [] : [`--from=${source}`];
  const test = gate === "" ? [] : [`--test-command=${gate}`];
  return { at, project, words: ["setup", ...name, "--yes", ...from, ...test, ...preview] };
}
