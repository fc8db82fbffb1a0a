import type { FileDiff } from "../../core/diff/file-diff.ts";
import type { RunDiff } from "../../core/diff/run-diff.ts";
import { truncate } from "../../core/text/truncate.ts";
import { COMMITS_UNREADABLE } from "../diff-lines.ts";
import { diff as figures, text } from "../report/html.ts";

/** Lines of all files together; more would make the page slow. */
const MOST_LINES = 4000;
const LINE_CHARS = 1000;

/**
 * What iterations, a task or a whole run changed, file by file.
 * @param control whether a line can be commented
 * @param what it is, at the beginning of a sentence
 */
export function diffPage(
  { parts, commits_unreadable, task }: RunDiff,
  control: boolean,
  what = task === undefined ? "This run" : "This task",
): string {
  const files = parts.flatMap((part) => part.files);
  if (files.length === 0) return `<p class="facts">${what} changed no file that is known.</p>`;
  let room = MOST_LINES;
  const shown = files.map((file) => {
    const lines = file.lines.slice(0, room);
    room -= lines.length;
    return fileDiff({ ...file, lines }, file.lines.length - lines.length, control);
  });
  const lost = commits_unreadable ? `<p class="note warn">${COMMITS_UNREADABLE}</p>` : "";
  return lost + shown.join("");
}

function fileDiff(file: FileDiff, left: number, control: boolean): string {
  const { path, from, added, removed, omitted } = file;
  const name = from === null ? text(path) : `${text(from)} → ${text(path)}`;
  const body =
    omitted === null
      ? `<div class="lines" role="group" aria-label="Changes of ${text(path)}">${rows(file, control)}</div>`
      : `<p class="facts">${text(omitted)}</p>`;
  const rest = left === 0 ? "" : `<p class="facts">${left} more lines: ralph diff</p>`;
  return `<section class="file" data-file="${text(path)}"><h3><code>${name}</code> ${figures(added, removed)}</h3>${body}${rest}</section>`;
}

function rows({ lines }: FileDiff, control: boolean): string {
  let [before, after] = [0, 0];
  let isHeader = true;
  return lines
    .map((line) => {
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
      if (hunk !== null) {
        isHeader = false;
        [before, after] = [Number(hunk[1]), Number(hunk[2])];
        return `<div class="hunk">${text(truncate(line, LINE_CHARS))}</div>`;
      }
      if (isHeader) return "";
      const kind = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "same";
      const number = kind === "del" ? before : after;
      if (kind !== "ins") before += 1;
      if (kind !== "del") after += 1;
      const mark = control
        ? `<button class="comment" data-line="${number}" aria-label="Comment on line ${number}">${number}</button>`
        : `<span class="at">${number}</span>`;
      const tag = kind === "same" ? "span" : kind;
      return `<div class="row">${mark}<${tag}>${text(truncate(line, LINE_CHARS))}</${tag}></div>`;
    })
    .join("");
}
