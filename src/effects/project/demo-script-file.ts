import { resolve } from "node:path";
import { DEFAULT_DEMO_SCRIPT, type DemoScript, parseDemoScript } from "../../core/demo-script.ts";
import { RalphError } from "../../core/errors.ts";
import { readRequired } from "./project-paths.ts";

/**
 * Reads the script of the demo agent; without a file, the built-in script.
 * @param file value of RALPH_DEMO_SCRIPT, relative to `cwd`
 * @throws RalphError `config`, with file and line, if it is unreadable or not a script
 */
export function readDemoScript(file: string | undefined, cwd: string): DemoScript {
  if (file === undefined || file === "") return DEFAULT_DEMO_SCRIPT;
  const script = parseDemoScript(readScript(resolve(cwd, file)));
  if (!("problem" in script)) return script;
  throw new RalphError("config", `${file}:${script.line} is not a demo script: ${script.problem}.`, { hint: HINT });
}

const HINT = "Fix the file that RALPH_DEMO_SCRIPT names, or unset it to play the built-in script.";

function readScript(path: string): string {
  try {
    return readRequired(path, "The demo script", HINT);
  } catch (error) {
    // The setting is wrong, not the environment.
    if (error instanceof RalphError) throw new RalphError("config", error.message, { hint: HINT, cause: error });
    throw error;
  }
}
