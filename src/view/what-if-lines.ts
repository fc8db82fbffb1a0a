import { settingText } from "../core/settings/setting-text.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import type { ChangedSetting } from "../core/what-if/changed-settings.ts";
import type { Course, RunEnd, WhatIf, WhatIfReport } from "../core/what-if/what-if-types.ts";
import { cost, duration } from "./text/figures.ts";
import type { Look } from "./text/style.ts";
import { hanging, wrap } from "./text/text.ts";

/** `ralph replay --what-if`: the recorded run and the one under other settings, and where they part. */
export function whatIfLines({ run, recorded, what_if: [answer] }: WhatIfReport, { style, width }: Look): string[] {
  if (answer === undefined) return [];
  const { changed, course, result } = answer;
  const unknown = result === "same" || result === "ends" ? "" : " and more, which nobody knows";
  const row = (label: string, text: string) => hanging(label.padEnd(10), text, width);
  const [place = "", ...more] = placeTexts(answer);
  return [
    ...wrap(`Run ${run.split("-")[0] ?? run} with ${settingsText(changed)}`, width).map(style.bold),
    ...row("Recorded", `${courseText(recorded)}. ${endText(recorded.end)}`),
    ...row("What if", `${courseText(course)}${unknown}.${answer.end === null ? "" : ` ${endText(answer.end)}`}`),
    ...row(RESULT_WORDS[result], place),
    ...more.flatMap((text) => row("", text)),
  ];
}

const RESULT_WORDS = {
  same: "The same",
  ends: "Ends",
  goes_on: "Goes on",
  diverges: "Diverges",
  unknown: "Unknown",
} as const satisfies Record<WhatIf["result"], string>;

/** The changed settings, as in `MAX_ITERATIONS=5 (was none)`, those that follow from another one last. */
function settingsText(changed: readonly ChangedSetting[]): string {
  if (changed.length === 0) return "the settings that it had";
  const texts = (follows: boolean) =>
    changed
      .filter((one) => (one.follows ?? false) === follows)
      .map(({ setting, from, to }) => `${setting}=${settingText(setting, to)} (was ${settingText(setting, from)})`)
      .join(", ");
  const defaults = texts(true);
  return `${texts(false)}${defaults === "" ? "" : ` and its defaults ${defaults}`}`;
}

function placeTexts({ result, divergence, rest, changed }: WhatIf): string[] {
  if (divergence === null)
    return [changed.length === 0 ? "Nothing was changed." : "Nothing would have come out otherwise."];
  const { seq, iteration, rule, sentence } = divergence;
  const where = iteration === 0 ? "" : `iteration ${iteration}, `;
  const place = `${where}event ${seq}, by ${rule}.`;
  if (result === "goes_on" && rule !== "record")
    return [place, `${singleLine(sentence)} It goes on beyond the record.`];
  if (result !== "ends") return [place, singleLine(sentence)];
  const work = [
    rest.commits === 0 ? null : count(rest.commits, "commit"),
    rest.boxes_ticked === 0 ? null : count(rest.boxes_ticked, "ticked box", "ticked boxes"),
  ].filter((part) => part !== null);
  const lost = work.length === 0 ? "no commit and no ticked box" : work.join(" and ");
  return [place, `It saves ${courseText(rest)}, and loses ${lost}.`];
}

function courseText(course: Course): string {
  return [count(course.iterations, "iteration"), cost(course), duration(course.ms)]
    .filter((part) => part !== null)
    .join(" · ");
}

function endText(end: RunEnd | null): string {
  return end === null ? "It has no end." : `${end.stop_reason}: ${singleLine(end.sentence)}`;
}
