/** A rebase that stopped at a conflict. */
export type Conflict = {
  branch: string;
  /** What the branch is put on, as the user calls it. */
  onto: string;
  /** First line of the message of the commit that does not fit. */
  subject: string;
  /** Paths from the root of the repository. */
  paths: readonly string[];
  /** The files that have marks in them; the others were deleted on one side, or are no text. */
  marked: readonly string[];
};

/** The prompt of the call that solves a conflict. */
export function rebasePrompt({ branch, onto, subject, paths, marked }: Conflict): string {
  const list = paths.map((path) => `- \`${path}\`${marked.includes(path) ? "" : " (without marks)"}`).join("\n");
  return `# A conflict to solve

The work on the branch \`${branch}\` is being put on top of \`${onto}\`, which others have changed meanwhile (\`git rebase\`). It stopped at
the commit "${subject}", because these files were changed on both sides:

${list}

Solve exactly that, and do nothing else:

1. Read both sides: between \`<<<<<<<\` and \`=======\` is what \`${onto}\` has, between \`=======\` and \`>>>>>>>\` what this branch has.
   \`git log\` and \`git show\` tell why each side is as it is.
2. Write each file so that it does what both sides want, and take out all the marks. Never just drop one side.
3. A file "without marks" was deleted on one side, or is no text. Make it what it should be, and then say so with \`git add\` or \`git rm\`.

Do not run \`git rebase --abort\`, \`git rebase --skip\`, \`git reset\`, \`git checkout\` of a side, \`git commit\` or \`git push\`. ralph stages the files
and goes on with the rebase when you are done. If you cannot tell what is right, leave the marks where they are and say why: a person will look.
`;
}
