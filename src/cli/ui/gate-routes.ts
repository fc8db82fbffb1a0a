import { join } from "node:path";
import { fieldsOf, str } from "../../core/json-value.ts";
import { newestRun } from "../../effects/journal/journal-read.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import type { PartOfRoutes } from "../../effects/ui/server.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { contextIn } from "./act.ts";
import { outdated } from "./outdated.ts";
import { projectWithId } from "./projects.ts";

/**
 * What a person decides about gates that got weaker: `/api/gates` takes them as they are, or puts them back, as
 * `ralph gates accept` and `ralph gates restore` do, whose words it tells.
 * @param projects the user's projects now, absolute
 */
export function gateRoutes(context: CommandContext<UiArgs>, projects: () => string[]): Pick<PartOfRoutes, "change"> {
  return {
    async change(path, body) {
      if (path !== "/api/gates") return null;
      const given = fieldsOf(body);
      const project = projectWithId(projects(), str(given.project));
      if (newestRun(join(checkRalphDir(project), "runs")) !== str(given.run))
        throw outdated("environment", "Another run is the newest by now.");
      const { here, told } = contextIn(context, project);
      await (await commandFor(given.what)).run(here);
      return { json: { told: told() } };
    },
  };
}

function commandFor(what: unknown) {
  if (what === "accept") return import("../commands/gates-accept.ts");
  if (what === "restore") return import("../commands/gates-restore.ts");
  throw outdated("usage", "What is to become of the gates is not named.");
}
