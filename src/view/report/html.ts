import { localDay, localMinute } from "../../core/text/time-text.ts";
import { plain } from "../text/text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes untrusted text for HTML and for quoted attributes, and removes control characters. */
export function text(value: string): string {
  return plain(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}

/** An ISO time as a `<time>` in local time, to the minute. */
export function time(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? "" : `<time datetime="${text(iso)}">${localDay(at)} ${localMinute(at)}</time>`;
}

/** `+12 −3` of a change; "" for none. */
export function diff(added: number, removed: number): string {
  return [
    added > 0 ? `<ins>+${added.toLocaleString("en")}</ins>` : "",
    removed > 0 ? `<del>−${removed.toLocaleString("en")}</del>` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}
