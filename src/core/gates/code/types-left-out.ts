/** Code of tests without what only pleases a type checker. */

const TYPED = /\.(?:[cm]?tsx?|vue|svelte)$/;
const STRING =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};]\s?)\/(?![/*])(?:\\.|[^/\\\n])+\//
    .source;
const NAME =
  /(?:typeof |keyof |readonly )*(?:[A-Za-z_$][\w$.]*(?:<[^<>()\n]*(?:<[^<>()\n]*>[^<>()\n]*)?>)?|\{[^{}\n]*\})(?:\[\])*/
    .source;
const CAST = ` as ${NAME}(?: ?[|&] ?${NAME})*`;
const SURELY = /(?<=[\w)\]])!(?=[.,;)\]]| as )/.source;
const TYPES = new RegExp(`(${STRING})|${CAST}|${SURELY}`, "g");
/** Brackets that only a cast needed. */
const BRACKETS = new RegExp(`(${STRING})|(?<![\\w$)\\]])\\((\\w[\\w.]*)\\)(?=[.[])`, "g");

/** A line, or several with a text that goes over them. */
const PART = /(?:`(?:\\.|[^`\\])*`|[^`\n])+/g;
/** Lines that bring names, and those that state something about types. */
const KEPT =
  /^\s*(?:import|export)\b|^\s*(?:[\w*{},\s]+ as [\w,}\s]+|\}\s*from\b.*)$|\b(?:expectType\w*|assertType\w*)\b/;

/** Casts, and marks that a value is surely there, are left out of TypeScript; its lines stay. */
export function withoutTypes(path: string, code: string): string {
  if (!TYPED.test(path)) return code;
  const plain = (text: string) =>
    text.replace(TYPES, (_, string) => string ?? "").replace(BRACKETS, (_, string, inner) => string ?? inner);
  return code.replace(PART, (part) => (KEPT.test(part) ? part : plain(part)));
}
