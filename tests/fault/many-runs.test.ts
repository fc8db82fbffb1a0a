/** A project may keep thousands of runs: what is about the newest one looks at no other. */
import { afterAll, describe, expect, test } from "bun:test";
import { works } from "../e2e/support/answers.ts";
import { cleanUp, type Project, project } from "../e2e/support/harness.ts";
import { canInject, looksOf } from "./inject.ts";

afterAll(cleanUp);

/** The runs whose folders a command looks into. */
async function runsSeen(at: Project, ...argv: string[]): Promise<string[]> {
  const paths = (await looksOf(at, argv)).map(({ path }) => path);
  const seen = paths.flatMap((path) => /\/\.ralph\/runs\/([^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(seen)].sort();
}

describe.skipIf(!canInject)("of all runs of a project, the newest alone is looked at", () => {
  test("by `ralph status`, and by the run after it", async () => {
    const at = project({ steps: [1, 2, 3, 4].map((nth) => works(nth)) });
    for (let nth = 1; nth <= 3; nth += 1) await at.ralph("run", "--max-iterations", "1");
    const third = at.runs()[2] ?? "";
    expect(await runsSeen(at, "status")).toEqual([third]);
    const seen = await runsSeen(at, "run", "--max-iterations", "1");
    expect(seen).toEqual([third, at.runs()[3] ?? ""]);
  });
});
