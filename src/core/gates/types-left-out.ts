/** Code of tests without what only pleases a type checker. */

const TYPED = /\.(?:[cm]?tsx?|vue|svelte)$/;
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/.source;
const NAME =
  /(?:typeof |keyof |readonly )*(?:[\w$.]+(?:<[^<>()\n]*(?:<[^<>()\n]*>[^<>()\n]*)?>)?|\{[^{}\n]*\})(?:\[\])*/.source;
const CAST = ` as ${NAME}(?: ?[|&] ?${NAME})*`;
const SURELY = /(?<=[\w)\]])!(?=[.,;)\]]| as )/.source;
const TYPES = new RegExp(`(${STRING})|${CAST}|${SURELY}`, "g");
/** Brackets that only a cast needed. */
const BRACKETS = new RegExp(`(${STRING})|(?<![\\w$)\\]])\\((\\w[\\w.]*)\\)(?=[.[])`, "g");

/** Casts, and marks that a value is surely there, are left out of TypeScript; its lines stay. */
export function withoutTypes(path: string, code: string): string {
  if (!TYPED.test(path)) return code;
  return code.replace(TYPES, (_, string) => string ?? "").replace(BRACKETS, (_, string, inner) => string ?? inner);
}
