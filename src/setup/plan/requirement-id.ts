/** A leading id, the words after it, and whether more than blanks separates them. */
export type LeadingId = {
  id: string;
  rest: string;
  setOff: boolean;
  /** The words are a sentence that asks for something. */
  asks: boolean;
};

/** `Story 1.2`, `Use Case 4`, `Requirement #3`. */
const WORDED =
  "(?:User [Ss]tory|Use [Cc]ase|Story|Epic|Task|Req(?:uirement)?|Feature|Anforderung|Exigence|Requisito)\\s+#?[A-Z]{0,4}-?\\d+(?:\\.\\d+)*[a-z]?";
/** `FR-1`, `NFR-SEC-12.1`, `REQ_001`, `要件-3`; in lower case only the prefixes in real use. */
const CODE =
  "[\\p{Lu}\\p{Lo}][\\p{Lu}\\p{Lo}\\d]{0,9}(?:[-_.][\\p{Lu}\\p{Lo}\\d]{1,10}){0,3}[-_#]\\d+(?:\\.\\d+)*[a-z]?|(?:req|fr|nfr|us|uc|br)[-_]\\d+(?:\\.\\d+)*";
/** `R12`, `FR1.2`, `要件3`: words such as "H2" look the same, so a separator must follow. */
const BARE = "[\\p{Lu}\\p{Lo}]{1,6}\\d+(?:\\.\\d+)*[a-z]?";
/** `2.1`, for statements numbered by their chapter. */
const NUMBER = "\\d{1,3}(?:\\.\\d{1,3}){1,4}";

const OPENING = "[*_`~\\[(<{「【［（\"'“]*";
const CLOSING = "[*_`~\\])>}」】］）\"'”]*";
/** A dot or hyphen counts only before a blank: "FR-1.beta" and "R2-D2" are words. */
const MARK = "(?:[:)\\]|–—→=：．、・]+|[.-]+(?=\\s|$))";

const LEADING = new RegExp(
  `^(?<open>${OPENING})(?<id>${WORDED}|${CODE}|${BARE})(?<close>${CLOSING})(?:\\s*(?<mark>${MARK})${CLOSING}\\s*|\\s+|$)(?<rest>.*)$`,
  "su",
);
const NUMBERED = new RegExp(
  `^(?<open>${OPENING})(?<id>${NUMBER})(?<close>${CLOSING})(?<mark>[:.)–—-]*)\\s+(?<rest>\\S.*)$`,
  "su",
);
const IS_BARE = new RegExp(`^(?:${BARE})$`, "u");
const MENTIONED = /(?<![\w./#-])[A-Z][A-Z0-9]{0,9}(?:[-_][A-Z0-9]{1,10}){0,3}[-_]\d+(?:\.\d+)*[a-z]?(?![\w-])/g;

/** A sentence that asks for something. */
export const MODAL =
  /\b(?:must|shall|should|can|may|will|has to|needs? to|muss|müssen|soll|sollen|kann|können|doit|peut|debe|puede|deve|pode)\b|できる|すること|しなければならない|必須|必须|应|可以/i;

/** Names of norms, algorithms, ports … that look like an id. */
const NORMS =
  /^(?:ISO|IEC|IEEE|ANSI|DIN|EN|RFC|BCP|UTF|UCS|ASCII|CP|SHA|MD|AES|DES|RSA|ECDSA|ED|HMAC|CRC|BASE|HTTPS?|TLS|SSL|TCP|UDP|IPV?|OAUTH|OIDC|WCAG|ARIA|CVE|CWE|OWASP|TOP|COVID|GPT|WINDOWS|WIN|LATIN|MP|RS|USB|SOC|PCI|FIPS|NIST|SP|ECMA|ES|EC|PEP|PSR|JSR|JSON|YAML|HTML|CSS|XML|GMT|UTC|INT|UINT|FLOAT|WPA|LTE|CAT|PS|ARM|X|H|FY|CY|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|SEPT|OCT|NOV|DEC)(?=[-_.\d])/;
/** Urgencies, quarters, levels of headings, versions. */
const LABELS = /^(?:P[0-4]|Q[1-4]|H[1-6]|V\d+)(?:[-_./].*)?$/;

/** The leading id of a requirement, in any spelling: `FR-1: x`, `**FR-1** x`, `[FR-1] x`, `FR-1 – x`, `Story 1.2 x`. */
export function leadingId(text: string): LeadingId | null {
  const issue = /^\[(#\d{1,9})\]\s+(\S.*)$/s.exec(text.slice(0, 4000));
  if (issue?.[1] !== undefined && issue[2] !== undefined)
    return { id: issue[1], rest: issue[2], setOff: true, asks: false };
  const { open, id, close, mark, rest } = LEADING.exec(leadText(text))?.groups ?? {};
  if (id === undefined || rest === undefined || isOtherName(id)) return null;
  const setOff = (open ?? "") !== "" || (close ?? "") !== "" || mark !== undefined || rest === "";
  const asks = /^\p{Lu}/u.test(rest) && MODAL.test(rest);
  if (!setOff && !asks && IS_BARE.test(id)) return null;
  return { id: id.replace(/\s+/g, " "), rest: rest.trim(), setOff, asks };
}

/** A leading chapter number (`2.1 The user must …`); dates and years are none. */
export function leadingNumber(text: string): LeadingId | null {
  const { open, id, close, mark, rest } = NUMBERED.exec(leadText(text))?.groups ?? {};
  if (id === undefined || rest === undefined || /\.(?:19|20)\d\d$/.test(id)) return null;
  return { id, rest: rest.trim(), setOff: `${open}${close}${mark}` !== "", asks: MODAL.test(rest) };
}

/** An id in brackets at the end: `The user can sign in (FR-8)`. */
export function trailingId(text: string): { id: string; rest: string } | null {
  const tail = text.slice(-60);
  const match = /\s*[([{]\s*[*_`]*([^\s()[\]{}]{2,40}?)[*_`]*\s*[)\]}]\s*[.:]?$/.exec(tail);
  const name = match?.[1];
  const rest = text.slice(0, text.length - (match?.[0].length ?? 0)).trimEnd();
  if (name === undefined || rest === "") return null;
  const found = mentionedIds(name);
  return found.length === 1 && found[0] === name ? { id: name, rest } : null;
}

/** Every requirement id in a text, at any position. */
export function mentionedIds(text: string): string[] {
  return (withHyphens(text).match(MENTIONED) ?? []).filter((id) => !isOtherName(id));
}

/** The leading id of a plan's box: also `2.1: x`, because the colon marks it as one. */
export function requirementId(text: string): { id: string; rest: string } | null {
  const found = leadingId(text) ?? (/^[\d.]+:\s/.test(text) ? leadingNumber(text) : null);
  return found === null ? null : { id: found.id, rest: found.rest };
}

function isOtherName(id: string): boolean {
  return NORMS.test(id.toUpperCase()) || LABELS.test(id);
}

/** Removes leading escapes, tags and pictograms, and replaces a leading link by its words. */
function leadText(text: string): string {
  return (
    text
      .slice(0, 4000)
      .replace(/^(?:\s|<\/?\w[^>]*>|\p{Extended_Pictographic}|\u{fe0f})+/u, "")
      .replace(/\\([-\\`*_{}[\]()#+.!|<>~])/g, "$1")
      .replace(/^([*_`]*)\[([^\]]*)\]\([^)]*\)/, "$1[$2]")
      // The German way to number requirements: `/F10/`.
      .replace(/^\/(\p{Lu}{1,4}\d{1,4})\/(?=\s)/u, "[$1]")
      .replace(/^\S{1,60}/, withHyphens)
  );
}

/** Replaces non-breaking hyphens by plain ones: "FR‑1" is a common spelling. */
export function withHyphens(text: string): string {
  return text.replace(/[\u2010\u2011]/g, "-");
}
