import { resolve } from "node:path";
import { DEFAULT_DEMO_SCRIPT, type DemoScript, parseDemoScript } from "../../core/demo-script.ts";
import { RalphError } from "../../core/errors.ts";
import { readRequired } from "./project-paths.ts";

/**
 * The script of the demo agent; ralph's own without a file.
 * @param file value of RALPH_DEMO_SCRIPT, relative to `cwd`
 * @throws RalphError `config`, with file and line, for one that cannot be read or is no script
 */
export function readDemoScript(file: string | undefined, cwd: string): DemoScript {
  if (file === undefined || file === "") return DEFAULT_DEMO_SCRIPT;
  const script = parseDemoScript(readScript(resolve(cwd, file)));
  if (!("problem" in script)) return script;
  throw new RalphError("config", `${file}:${script.line} is no demo script: ${script.problem}.`, { hint: HINT });
}

const HINT = "Mend the file that RALPH_DEMO_SCRIPT names, or unset it to play the built-in script.";

function readScript(path: string): string {
  try {
    return readRequired(path, "The demo script", HINT);
  } catch (error) {
    // It is a setting that names no script, not a lack of the environment.
    if (error instanceof RalphError) throw new RalphError("config", error.message, { hint: HINT, cause: error });
    throw error;
  }
}
