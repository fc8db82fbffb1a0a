import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectId } from "../../../src/cli/ui/projects.ts";
import { RUN, writeLongJournal } from "../../../tests/e2e/support/long-journal.ts";
import { makeProject } from "./bench-project.ts";
import { environment } from "./bench-run.ts";

/** 101 events an iteration. */
const TOOLS = 48;
const RESULT_BYTES = 300;

export type LongProject = {
  dir: string;
  env: Record<string, string>;
  /** As the page of `ralph ui` names the run, in addresses. */
  query: string;
  address: string;
  /** Makes the run anew. @returns its number of events */
  write(iterations: number): number;
};

/** A project on its user's list, with one long run. @param folder where it is made */
export function longProject(folder: string): LongProject {
  const dir = makeProject(folder, "project", 0);
  const env = environment(dir);
  const list = join(env.HOME ?? "", ".local/state/ralph/projects");
  mkdirSync(list, { recursive: true });
  writeFileSync(join(list, "0000000000000001.json"), JSON.stringify({ project: dir }));
  const id = projectId(dir);
  return {
    dir,
    env,
    query: `project=${id}&run=${RUN}`,
    address: `#/run/${id}/${RUN}`,
    write(iterations) {
      writeLongJournal(dir, { iterations, tools: TOOLS, resultBytes: RESULT_BYTES });
      return iterations * (5 + 2 * TOOLS) + 2;
    },
  };
}
