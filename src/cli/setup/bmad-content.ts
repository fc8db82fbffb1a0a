import { RalphError } from "../../core/errors.ts";
import { readArtifacts } from "../../setup/bmad/artifacts.ts";
import { convertBmad } from "../../setup/bmad/convert.ts";
import type { Complaint } from "../../setup/bmad/preflight.ts";
import type { Content } from "../../setup/prepare.ts";
import type { Site } from "./look-around.ts";

/**
 * The stories of a BMAD planning folder.
 * @param folder relative to the project; null where there is none
 * @param force errors of the plan are only told
 * @throws RalphError `usage` without a folder or stories, or for a plan that has errors
 */
export function bmadContent(
  site: Pick<Site, "files">,
  folder: string | null,
  force = false,
): Content & { complaints: Complaint[] } {
  if (folder === null) {
    throw new RalphError("usage", "There is no BMAD planning folder here.", {
      hint: "It is looked for in _bmad/config.yaml, _bmad-output/planning-artifacts and docs/planning. Or: ralph import FOLDER",
    });
  }
  const { content, complaints, stories } = convertBmad(readArtifacts(site.files, folder), folder);
  if (stories === 0) {
    throw new RalphError("usage", `No story was found in ${folder}.`, {
      hint: "Stories are headings such as: ### Story 1.2: Sign in",
    });
  }
  const errors = complaints.filter(({ level }) => level === "error");
  if (errors.length > 0 && !force) {
    throw new RalphError("usage", errors.map(({ code, text }) => `${code}: ${text}`).join("\n"), {
      hint: "Mend the plan, or import it as it is with --force.",
    });
  }
  return { ...content, complaints };
}
