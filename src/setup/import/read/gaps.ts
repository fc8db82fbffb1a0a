import { withHyphens } from "../../plan/requirement-id.ts";
import { requirementNames } from "./requirement-names.ts";

const ID =
  /(?<!\w)(?:(?:story|epic|task|req(?:uirement)?|feature)\s+)?[a-z]{0,10}(?:-?[a-z0-9]{1,10}){0,3}?-?\d+(?:\.\d+)*[a-z]?(?![\w-])/gi;

/**
 * The names that a document asks for and no file contains. Ids match as whole words, headings without regard to case
 * and markup.
 * @param files texts of the plan and the specs
 */
export function findGaps(document: string, files: readonly string[]): string[] {
  const all = withHyphens(files.join("\n"));
  const words = comparable(all);
  const ids = new Set(all.match(ID)?.map(comparable));
  return requirementNames(document).filter((name) => {
    const wanted = comparable(name);
    return isId(name) ? !ids.has(wanted) : !words.includes(wanted);
  });
}

function isId(name: string): boolean {
  return new RegExp(`^(?:${ID.source})$`, "i").test(name);
}

function comparable(text: string): string {
  return withHyphens(text)
    .toLowerCase()
    .replace(/[*_`~#>]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
