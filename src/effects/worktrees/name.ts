/** Names of worktrees: of a folder, of a branch, and of a file of ralph's. */
import { RalphError } from "../../core/errors.ts";

const MOST_CHARS = 60;
/** What Windows takes for a device, whatever its ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Short, easy to say, and each with another first letter where it goes. */
const TREES = ["oak", "elm", "fir", "ash", "yew", "pine", "lime", "beech", "cedar", "maple", "rowan", "hazel", "alder"];

/**
 * A name that every file system and git (git-check-ref-format manual) take.
 * @throws RalphError `usage` that says what is wrong with it
 */
export function checkName(name: string): void {
  const wrong = faultIn(name);
  if (wrong !== null)
    throw new RalphError("usage", `A worktree cannot be called ${JSON.stringify(name)}: ${wrong}.`, {
      hint: "Letters, digits, dots, dashes and underscores, as in: --worktree=login-form",
    });
}

function faultIn(name: string): string | null {
  if (name === "") return "the name is empty";
  if (/[/\\]/.test(name)) return "it is one name, without slashes";
  if (name.length > MOST_CHARS) return `it has more than ${MOST_CHARS} characters`;
  if (!/^[A-Za-z0-9]/.test(name)) return "it has to begin with a letter or a digit";
  if (name.includes("..")) return "git allows no two dots in a branch";
  if (/\.(?:lock)?$/i.test(name)) return "git lets no branch end like that";
  if (DEVICE.test(name)) return "Windows has a device of that name";
  const [odd] = /[^A-Za-z0-9._-]/u.exec(name) ?? [];
  return odd === undefined ? null : `${JSON.stringify(odd)} is not allowed`;
}

/** A short name that is free. */
export function freeName(isTaken: (name: string) => boolean): string {
  for (let round = 1; ; round += 1) {
    const found = TREES.map((tree) => (round === 1 ? tree : `${tree}${round}`)).find((name) => !isTaken(name));
    if (found !== undefined) return found;
  }
}
