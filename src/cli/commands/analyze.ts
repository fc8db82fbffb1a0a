import process from "node:process";
import { analyzeReport } from "../../core/answer/analyze-report.ts";
import { countSignals, newestSignals, noSignals } from "../../core/decide/completion-signals.ts";
import { RalphError } from "../../core/errors.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { decoderKit } from "../../driver-host/decoder-kit.ts";
import { type RecordedOptions, recordedReader } from "../../driver-host/recorded/recorded-output.ts";
import { BUILT_IN_DRIVERS } from "../../driver-host/registry.ts";
import { createHost } from "../../effects/host.ts";
import { fileLines, streamLines } from "../../effects/journal/file-lines.ts";
import { readRequired } from "../../effects/project/project-paths.ts";
import { driverLookup } from "../agent/agent-choice.ts";
import { findDriver } from "../agent/find-driver.ts";
import type { CommandContext } from "../context.ts";
import type { AnalyzeArgs } from "../definitions/analyze.ts";
import { loadSettings } from "../load-settings.ts";

/** The FILE that means stdin. */
const STDIN = "-";

/**
 * `ralph analyze FILE...`: the analysis of recorded output, with reasons. Needs no project.
 * @throws RalphError `environment` for an unreadable file, `usage` for a bad exit code or stdin named twice
 */
export async function run(context: CommandContext<AnalyzeArgs>): Promise<number> {
  const { args } = context;
  const resolved = loadSettings(context);
  const { settings } = resolved;
  const lookup = { ...driverLookup(resolved, createHost(context.projectDir, context.env)), personal: true, place: "" };
  const driver = args.driver === undefined ? null : (await findDriver(args.driver, lookup)).driver;
  const stderr =
    args.stderr === undefined
      ? undefined
      : readRequired(args.stderr, "The file", "Name what the agent wrote to stderr.");
  const exitCode = exitCodeOf(args["exit-code"]);
  const options = {
    drivers:
      driver === null ? BUILT_IN_DRIVERS : [driver, ...BUILT_IN_DRIVERS.filter(({ name }) => name !== driver.name)],
    kit: decoderKit,
    exitCode,
    ...(driver === null ? {} : { driver: driver.name }),
    ...(stderr === undefined ? {} : { stderr }),
  };
  if (args.files.filter((file) => file === STDIN).length > 1)
    throw new RalphError("usage", "`-` stands for stdin, which can be read only once.");
  const files = [];
  for (const file of args.files) files.push({ file, recorded: await readRecording(file, options) });
  const { report, lines } = analyzeReport(files, {
    allowedTools: settings.ALLOWED_TOOLS,
    signals: noSignals(),
    countSignals: (signals, number, analysis) => newestSignals(countSignals(signals, number, analysis)),
    now: Date.now(),
    // Only an error can name a clock time. The first use of Intl costs several ms.
    ...(files.some(({ recorded }) => recorded.output.error !== null)
      ? { zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
      : {}),
  });
  context.stdout(args.json ? jsonFile(report) : `${lines.join("\n")}\n`);
  return 0;
}

async function readRecording(path: string, options: RecordedOptions) {
  const reader = recordedReader(options);
  const from =
    path === STDIN
      ? streamLines(process.stdin)
      : fileLines(path, "The recording", "Name an existing file, or - for stdin.");
  for await (const lines of from) for (const line of lines) reader.line(line);
  return reader.end();
}

function exitCodeOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new RalphError("usage", `--exit-code ${text} is not allowed: it must be a number from 0 to 255.`);
}
