/** What stands in one project in place of ralph's files takes nothing from the others of its user. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectId } from "../../../src/cli/ui/projects.ts";
import { stateFolder } from "../../../src/effects/user/home.ts";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { enter, get, startUi } from "../support/ui.ts";

afterAll(cleanUp);

const TOO_LARGE = 9 << 20;

function large(at: Project, path: string): void {
  if (!at.has(path)) at.write(path, "");
  truncateSync(at.path(path), TOO_LARGE);
}

/** All that a stream sends until this event, which ends it. */
async function streamed(answer: Response, last: string): Promise<string> {
  let all = "";
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    all += part;
    if (all.includes(`event: ${last}\n`)) return all;
  }
  throw new Error(`the stream ended: ${all}`);
}

test.concurrent.each<[string, (at: Project) => void]>([
  ["a plan over its limit", (at) => large(at, ".ralph/@fix_plan.md")],
  ["a lock over its limit", (at) => large(at, ".ralph/lock")],
  ["a file in place of the records of worktrees", (at) => at.write(".ralph/worktrees/.records", "")],
  [
    "a file in place of its runs",
    (at) => {
      rmSync(at.path(".ralph/runs"), { recursive: true });
      at.write(".ralph/runs", "");
    },
  ],
  [
    "a link in place of .ralph",
    (at) => {
      const elsewhere = join(dirname(at.dir), "elsewhere");
      renameSync(at.path(".ralph"), elsewhere);
      symlinkSync(elsewhere, at.path(".ralph"));
    },
  ],
])("%s", async (_, spoil) => {
  const odd = project({ steps: [works(1)] });
  const fine = project({ steps: [works(1)] });
  Object.assign(fine.env, { HOME: odd.env.HOME });
  for (const at of [odd, fine]) await at.ralph("run", "--max-iterations", "1");
  const [run] = odd.runs();
  spoil(odd);

  const ps = await fine.ralph("ps");
  expect({ exit: ps.exit, said: ps.stdout }).toEqual({ exit: 0, said: expect.stringContaining("max_iterations") });

  const ui = await startUi(fine, "--control");
  const secrets = await enter(ui);
  const home = await streamed(await get(ui, "/api/follow/home", secrets), "home");
  expect(home).toContain(projectId(fine.dir));
  // Whatever it tells of the odd one, the server goes on.
  for (const at of [odd, fine]) {
    const answer = await get(
      ui,
      `/api/follow/run?project=${projectId(at.dir)}&run=${at === odd ? run : at.runs()[0]}`,
      secrets,
    );
    if (answer.status === 200) await streamed(answer, "caught_up");
  }
  for (const path of ["/api/morning", "/api/begin"]) {
    const answer = await get(ui, path, secrets);
    expect({ path, status: answer.status, text: await answer.text() }).toEqual({
      path,
      status: 200,
      text: expect.stringContaining(projectId(fine.dir)),
    });
  }
  ui.kill("SIGTERM");
  expect(await ui.exited).toBe(143);
});

test.concurrent("what stands on the list of projects and cannot be taken off it", async () => {
  const at = project({ steps: [works(1)] });
  await at.ralph("run", "--max-iterations", "1");
  mkdirSync(
    join(stateFolder({ platform: process.platform, env: at.env, home: at.env.HOME ?? "" }), "projects", "x.json"),
  );
  const { exit, stdout } = await at.ralph("ps");
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining("max_iterations") });
});
