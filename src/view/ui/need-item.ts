import type { Need } from "../../core/needs/needs.ts";
import { needHead } from "../needs.ts";
import { text } from "../report/html.ts";

/** @param link HTML of what is shown before the head; @param place attributes that say which run it is about */
export type NeedItemOptions = { live: boolean; link?: string; place?: string };

/** One thing that needs a person, with what answers it there: a box for words, or buttons; and the commands that do the same. */
export function needItem(need: Need, { live, link, place = "" }: NeedItemOptions): string {
  const head = link === undefined ? text(needHead(need)) : `${link} · ${text(needHead(need))}`;
  const typed = need.commands.map((command) => `<code>${text(command)}</code>`).join(" ");
  return `<li${place}><p class="facts">${head}</p><p>${text(need.text)}</p>${need.number === null ? buttons(need, live) : answerBox(need.number)}<p>${typed}</p></li>`;
}

function answerBox(number: number): string {
  return `<form class="words steers" data-number="${number}"><label>Your answer <input name="text" maxlength="4000" required autocomplete="off"></label><button>Answer</button></form>`;
}

function buttons({ kind }: Need, live: boolean): string {
  const all =
    kind === "gates"
      ? [button("accept", "Take the gates as they are"), ...(live ? [] : [button("restore", "Put the gates back")])]
      : kind === "limit" && !live
        ? [button("wait", "Wait the limit out")]
        : [];
  return all.length === 0 ? "" : `<div class="buttons">${all.join("")}</div>`;
}

function button(what: "accept" | "restore" | "wait", words: string): string {
  return `<button type="button" class="steers" data-do="need_${what}">${words}</button>`;
}
