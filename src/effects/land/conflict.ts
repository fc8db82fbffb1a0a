import type { ConflictSides } from "../../core/land/messages.ts";
import type { Git } from "../git/git-program.ts";
import type { LandBranch } from "../ports.ts";

const MOST_COMMITS = 10;

type Conflict = { branch: LandBranch; below: string; paths: readonly string[]; said: string | null };

/** What both sides of a conflict were to do, and what they did to its files since they parted. */
export async function conflictSides(git: Git, { branch, below, paths, said }: Conflict): Promise<ConflictSides> {
  const base = (await git.run(["merge-base", below, branch.commit])).stdout.trim();
  const words = branch.task?.text ?? (await subjects(git, ["-1", branch.commit])).join(" ");
  if (base === "" || paths.length === 0)
    return { paths, said, mine: { words, diff: "" }, theirs: { words: [], diff: "" } };
  // A rename is in conflict under both of its names, and is found by neither alone.
  const diff = async (to: string) =>
    (await git.run(["diff", "--no-ext-diff", "--no-color", "-M", base, to, "--", ...paths.map(literal)])).stdout;
  const meanwhile = ["--first-parent", `-${MOST_COMMITS}`, `${base}..${below}`, "--", ...paths.map(literal)];
  return {
    paths,
    said,
    mine: { words, diff: await diff(branch.commit) },
    theirs: { words: await subjects(git, meanwhile), diff: await diff(below) },
  };
}

function literal(path: string): string {
  return `:(top,literal)${path}`;
}

async function subjects(git: Git, args: readonly string[]): Promise<string[]> {
  const { stdout } = await git.run(["log", "--format=%s", "--no-show-signature", ...args]);
  return stdout.split("\n").filter((line) => line !== "");
}
