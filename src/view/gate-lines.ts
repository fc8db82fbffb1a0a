import { uncheckedText } from "../core/gates/unchecked-text.ts";
import { reasonText, weakenedText } from "../core/gates/weakened-text.ts";
import type { GateReport } from "../core/report/gate-report.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { gateMark } from "./text/marks.ts";
import type { Look, Style } from "./text/style.ts";
import { fit, plain, wrap } from "./text/text.ts";

const MOST_PATHS = 10;

/** `ralph gates`: each gate with its newest result, what is frozen, and what got weaker. */
export function gateLines(report: GateReport, { style, width }: Look): string[] {
  const { gates, hidden, frozen, changed, weakened, found } = report;
  const line = (text: string) => fit(`  ${singleLine(text)}`, width);
  if (gates.length === 0 && hidden.gates === 0)
    return wrap(singleLine(uncheckedText({ why: "no_gate", check: found })), width);
  const since = frozen?.files === 0 ? "new since" : "changed since";
  const accept = "If you want it so: ralph gates accept. If not: ralph gates restore";
  return [
    ...gates.map((gate) => gateLine(gate, style, width)),
    ...(hidden.gates === 0 ? [] : [line(`${count(hidden.gates, "hidden gate")}`)]),
    ...(hidden.output === null ? [] : [style.dim(line(`their output: ${hidden.output}`))]),
    ...(frozen === null
      ? [style.dim(line("Nothing is frozen: the next run takes the files of the gates as they are."))]
      : [style.dim(line(frozenText(frozen)))]),
    ...(changed ?? []).slice(0, MOST_PATHS).map((path) => style.dim(line(`${since}: ${path}`))),
    ...((changed ?? []).length > MOST_PATHS
      ? [style.dim(line(`  and ${(changed ?? []).length - MOST_PATHS} more`))]
      : []),
    ...(weakened === null
      ? []
      : [
          ...wrap(`! ${weakenedText(weakened)}`, width).map(style.yellow),
          ...weakened.reasons.map((reason) => style.yellow(line(reasonText(reason)))),
          ...weakened.diff.split("\n").map((text) => fit(`  ${plain(text)}`, width)),
          ...wrap(accept, width),
        ]),
  ];
}

function frozenText({ files, run }: NonNullable<GateReport["frozen"]>): string {
  if (files === 0) return `run ${run} found no files of the gates to freeze`;
  return `${count(files, "file")} of the gates frozen by run ${run}`;
}

function gateLine(gate: GateReport["gates"][number], style: Style, width: number): string {
  const facts = [
    gate.ok === null ? "has not run yet" : `iteration ${gate.iteration}`,
    gate.tests === null ? null : `${count(gate.tests.passed, "test")} passed`,
    gate.tests === null || gate.tests.skipped === 0 ? null : `${gate.tests.skipped} skipped`,
    gate.flakes === 0 ? null : count(gate.flakes, "flake"),
  ].filter((fact) => fact !== null);
  return `${gateMark(gate, style)} ${fit(`${singleLine(gate.command)}  ${facts.join(" · ")}`, width - 2)}`;
}
