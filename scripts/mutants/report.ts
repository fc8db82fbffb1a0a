import type { Mutant } from "./generate.ts";
import type { Fate } from "./run-mutant.ts";

/** A mutant that may survive, and why: it changes nothing, or nothing that anyone can see. */
export type Accepted = { id: string; change: string; why: string };

export type Tried = { mutant: Mutant; fate: Fate };

/** One row of the table: `accepted` are no part of `total`. */
export type Score = { killed: number; total: number; accepted: number };

export type Report = {
  score: Score;
  by_folder: Readonly<Record<string, Score>>;
  by_file: Readonly<Record<string, Score>>;
  by_limit: number;
  survivors: readonly Mutant[];
  accepted: readonly { mutant: Mutant; why: string }[];
  /** Accepted, and killed all the same. */
  needless: readonly string[];
};

/** Below this share of killed mutants the tests are not good enough. */
export const LEAST = 0.9;

/** What the trials say, without the survivors that are accepted. @param folders beginnings of paths, a score each */
export function report(tried: readonly Tried[], accepted: readonly Accepted[], folders: readonly string[]): Report {
  const reasons = new Map(accepted.map(({ id, why }) => [id, why]));
  const survived = tried.filter(({ fate }) => fate === "survived").map(({ mutant }) => mutant);
  const scoreOf = (rows: readonly Tried[]): Score => {
    const killed = rows.filter(({ fate }) => fate !== "survived").length;
    const let_live = rows.filter(({ fate, mutant }) => fate === "survived" && reasons.has(mutant.id)).length;
    return { killed, total: rows.length - let_live, accepted: let_live };
  };
  const files = Map.groupBy(tried, ({ mutant }) => mutant.file);
  const inFolder = (folder: string) => tried.filter(({ mutant }) => mutant.file.startsWith(folder));
  return {
    score: scoreOf(tried),
    by_folder: Object.fromEntries(folders.map((folder) => [folder, scoreOf(inFolder(folder))])),
    by_file: Object.fromEntries([...files].map(([file, rows]) => [file, scoreOf(rows)])),
    by_limit: tried.filter(({ fate }) => fate === "killed by limit").length,
    survivors: survived.filter(({ id }) => !reasons.has(id)),
    accepted: survived.flatMap((mutant) => {
      const why = reasons.get(mutant.id);
      return why === undefined ? [] : [{ mutant, why }];
    }),
    needless: tried.flatMap(({ mutant, fate }) => (fate !== "survived" && reasons.has(mutant.id) ? [mutant.id] : [])),
  };
}

/** Whether enough was killed in each folder; of nothing, all was. */
export function isEnough({ by_folder }: Pick<Report, "by_folder">): boolean {
  return Object.values(by_folder).every(({ killed, total }) => killed >= LEAST * total);
}

/** A mutant on one line, which names it, its place and its change. */
export function mutantLine({ id, file, line, before, after }: Mutant): string {
  const [old, fresh] = [oneLine(before), oneLine(after)];
  let same = 0;
  while (same < old.length && old[same] === fresh[same]) same += 1;
  return `${file}:${line}  ${shown(old, same)} → ${shown(fresh, same)}  (${id})`;
}

const SHOWN = 100;
/** Of long code, so much is shown before the first difference. */
const LEAD = 40;

/** Code in backticks; of long code the part where the change is. */
function shown(code: string, changedAt: number): string {
  if (code === "") return "nothing";
  const from = code.length <= SHOWN ? 0 : Math.max(0, Math.min(changedAt - LEAD, code.length - SHOWN));
  const end = from + SHOWN;
  return `\`${from > 0 ? "…" : ""}${code.slice(from, end)}${end < code.length ? "…" : ""}\``;
}

function oneLine(code: string): string {
  return code.replace(/\s+/g, " ").trim();
}

const percent = ({ killed, total }: Score) => (total === 0 ? "-" : `${((100 * killed) / total).toFixed(1)} %`);
const ratio = ({ killed, total }: Score) => `${killed}/${total}`;

const table = (rows: Readonly<Record<string, Score>>) =>
  Object.entries(rows).map(([path, row]) => `${ratio(row).padStart(8)}  ${percent(row).padStart(7)}  ${path}`);

/** The report as text: the files, each survivor, and last the ratio of each folder and of all. */
export function reportText({ score, by_folder, by_file, by_limit, survivors, accepted, needless }: Report): string {
  const lines = [
    ...table(by_file),
    "",
    ...survivors.map((mutant) => `survived  ${mutantLine(mutant)}`),
    ...accepted.map(({ mutant, why }) => `accepted  ${mutantLine(mutant)}: ${why}`),
    ...needless.map((id) => `${id} is accepted but killed: it can go from the list`),
    "",
    ...table(by_folder),
  ];
  const left = score.accepted === 0 ? "" : `, not counting ${score.accepted} accepted`;
  const slow = by_limit === 0 ? "" : `, ${by_limit} of them by a limit of time or memory`;
  return [...lines, `${ratio(score)} mutants killed (${percent(score)})${slow}${left}`].join("\n");
}
