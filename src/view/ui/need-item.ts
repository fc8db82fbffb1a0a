import type { Need } from "../../core/needs/needs.ts";
import { needHead } from "../needs.ts";
import { text } from "../report/html.ts";

export type NeedItemOptions = {
  live: boolean;
  /** HTML of what is shown before the head. */
  link?: string;
  /** Attributes that say which run it is about. */
  place?: string;
  /** The project, where several are shown: its buttons say whose they are. */
  of?: string;
};

/** One thing that needs a person, with what answers it there: a box for words, or buttons; and the commands that do the same. */
export function needItem(need: Need, { live, link, place = "", of }: NeedItemOptions): string {
  const head = link === undefined ? text(needHead(need)) : `${link} · ${text(needHead(need))}`;
  const typed = need.commands.map((command) => `<code>${text(command)}</code>`).join(" ");
  return `<li${place}><p class="facts">${head}</p><p>${text(need.text)}</p>${need.number === null ? buttons(need, live, of) : answerBox(need.number, of)}<p class="typed">${typed}</p></li>`;
}

function answerBox(number: number, of?: string): string {
  return `<form class="words steers" data-number="${number}"><label>Your answer <input name="text" maxlength="4000" required autocomplete="off"></label><button${label("Answer", of)}>Answer</button></form>`;
}

function buttons({ kind }: Need, live: boolean, of?: string): string {
  const all =
    kind === "gates"
      ? [
          button("accept", "Take the gates as they are", of),
          ...(live ? [] : [button("restore", "Put the gates back", of)]),
        ]
      : kind === "limit" && !live
        ? [button("wait", "Wait the limit out", of)]
        : [];
  return all.length === 0 ? "" : `<div class="buttons">${all.join("")}</div>`;
}

function button(what: "accept" | "restore" | "wait", words: string, of?: string): string {
  return `<button type="button" class="steers" data-do="need_${what}"${label(words, of)}>${words}</button>`;
}

function label(words: string, of: string | undefined): string {
  return of === undefined ? "" : ` aria-label="${text(`${words}: ${of}`)}"`;
}
