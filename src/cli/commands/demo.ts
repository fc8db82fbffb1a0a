import { parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { defaultSettings } from "../../core/settings/settings.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { createDemoProject } from "../../demo/demo-project.ts";
import { createHost } from "../../effects/host.ts";
import { projectPaths, readOptional } from "../../effects/project/project-paths.ts";
import { createWorld } from "../../effects/world.ts";
import { loop } from "../../run/jobs/loop.ts";
import { withRun } from "../../run/run.ts";
import { VERSION } from "../../version.ts";
import { style } from "../../view/text/style.ts";
import { wrap } from "../../view/text/text.ts";
import { chooseAgent } from "../agent/agent-choice.ts";
import type { CommandContext } from "../context.ts";
import type { DemoArgs } from "../definitions/demo.ts";
import { stopOnSignals } from "../run/signals.ts";
import { openRunView } from "../show/run-view.ts";
import { canDraw } from "../terminal.ts";

/** `ralph demo [--keep]`: the whole loop in a temporary project, with the scripted agent. Leaves nothing behind unless told to. */
export async function run(context: CommandContext<DemoArgs>): Promise<number> {
  const { keep, quiet } = context.args;
  const demo = await createDemoProject();
  const settings = { ...defaultSettings(), PLATFORM_DRIVER: "demo", PROJECT_NAME: "greeter", MAX_ITERATIONS: 10 };
  const env = { ...context.env, RALPH_DEMO_SCRIPT: demo.scriptFile, RALPH_DEMO_STATE: demo.stateFile };
  const host = createHost(demo.dir, env);
  const paths = projectPaths(demo.dir, null, null);
  const isTty = canDraw(context);
  const view = openRunView({
    context,
    project: demo.dir,
    ralphDir: paths.ralph,
    how: "lines",
    verbose: false,
    live: true,
    quiet,
    plan: () => parseProjectPlan(readOptional(paths.plan), settings),
  });
  let release = () => {};
  try {
    const { driver, binary } = await chooseAgent(
      { host, settings, personal: true, place: "", mayStart: true },
      context.self,
    );
    const world = createWorld({ paths, host, use: { kind: "work", task: null } });
    const spec = {
      driver,
      settings,
      version: VERSION,
      startedBy: "demo",
      subscribers: [view.reader],
      recordIn: "new run",
      takesCommands: true,
    } as const;
    const end = await withRun(world, spec, (run) => {
      release = stopOnSignals(run.stops);
      view.onRun({ stops: run.stops, steer: run.control });
      return loop(run, { driver, binary, onPartial: view.onPartial, live: isTty });
    });
    release();
    await view.onEnd(end);
    if (end.stop_reason === "project_complete" && !quiet)
      context.stdout(
        closing(context.color, context.columns, {
          kept: keep ? demo.dir : null,
          // After `npm start` no shell finds it yet, and the commands shown would not be there.
          program: context.self.length === 1 && host.which("ralph") === null ? context.self[0] : undefined,
        }),
      );
    return end.exit_code;
  } finally {
    release();
    view.close();
    if (!keep) demo.remove();
  }
}

const READING_COLUMNS = 88;
const WHAT_YOU_SAW =
  "A scripted agent worked through a plan of three tasks. It claimed to be done with one still open, and the loop went " +
  "on. It met a usage limit, and the loop waited for the reset and went on in the same iteration. Its last claim was " +
  "true, and ended the run. Nothing was spent: the costs shown are part of its script.";

/** @param end `kept`: the project's folder, null if it is gone; `program`: this one's file, if the PATH lacks it */
function closing(
  color: boolean,
  width: number,
  { kept, program }: { kept: string | null; program: string | undefined },
): string {
  const { bold, dim } = style(color);
  const saw = wrap(WHAT_YOU_SAW, Math.min(width, READING_COLUMNS) - 2).map((line) => `  ${line}`);
  return `
${bold("What you saw")}
${saw.join("\n")}
${kept === null ? "" : keptText(kept, bold, dim)}
${bold("In a project of yours")}
${program === undefined ? "" : `  first copy ${program} into a folder of your PATH\n`}  ralph doctor                    ${dim("what is missing yet")}
  ralph "Fix the failing tests"   ${dim("one task, no files needed")}
  ralph setup, then ralph run     ${dim("the loop, with a prompt and a plan")}
  ralph --help                    ${dim("everything else")}
`;
}

function keptText(folder: string, bold: (text: string) => string, dim: (text: string) => string): string {
  return `
${bold("The project is kept")}
  cd ${typedWord(folder)}
  ralph report                    ${dim("what each task cost, and why it went on")}
  ralph replay                    ${dim("the run once more")}
  ralph monitor                   ${dim("the dashboard")}
`;
}
