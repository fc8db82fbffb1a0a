import { analyzeReport } from "../../core/analyze-report.ts";
import { countSignals, noSignals } from "../../core/completion.ts";
import { RalphError } from "../../core/errors.ts";
import { decoderKit } from "../../drivers/decode.ts";
import { readRecorded } from "../../drivers/recorded.ts";
import { BUILT_IN, findDriver } from "../../drivers/registry.ts";
import { readRequired } from "../../effects/project-files.ts";
import type { CommandContext } from "../context.ts";
import type { ANALYZE } from "../definitions.ts";
import { loadSettings } from "../load-settings.ts";

/**
 * `ralph analyze FILE...`: what ralph would make of recorded output, and why. Needs no project.
 * @throws RalphError `environment` for a file that cannot be read, `usage` for an exit code that is no number
 */
export async function run(context: CommandContext<typeof ANALYZE.args>): Promise<number> {
  const { args, given } = context;
  const { settings } = loadSettings(context);
  const driver = given.includes("driver") ? findDriver(settings.PLATFORM_DRIVER).driver.name : undefined;
  const stderr =
    args.stderr === undefined
      ? undefined
      : readRequired(args.stderr, "The file", "Name what the agent wrote to stderr.");
  const exitCode = exitCodeOf(args["exit-code"]);
  const files = args.files.map((file) => {
    const text = readRequired(file, "The recording", "Name an existing file.");
    const options = {
      drivers: BUILT_IN,
      kit: decoderKit,
      exitCode,
      ...(driver === undefined ? {} : { driver }),
      ...(stderr === undefined ? {} : { stderr }),
    };
    return { file, recorded: readRecorded(text, options) };
  });
  const { report, lines } = analyzeReport(files, {
    allowedTools: settings.ALLOWED_TOOLS,
    signals: noSignals(),
    countSignals,
    now: Date.now(),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  context.stdout(args.json ? `${JSON.stringify(report, null, 2)}\n` : `${lines.join("\n")}\n`);
  return 0;
}

function exitCodeOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new RalphError("usage", `--exit-code ${text} is not allowed: it must be a number from 0 to 255.`);
}
