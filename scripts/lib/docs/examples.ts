/** The examples of the commands' help, which stand on the page of commands, and how each is run. */
import { COMMANDS } from "../../../src/cli/command-table.ts";
import { type CommandBlock, useOf } from "./command-blocks.ts";

/** Marks as in comments of the pages. An example without one runs in the project of many runs, after those before it. */
const MARKS: Readonly<Record<string, string>> = {
  "ralph run": "in project",
  "ralph run plan --max-iterations 5": "in modes, exit 4",
  "ralph run --driver codex --max-tokens 2000000": "in project",
  'ralph run --task "Fix the failing tests"': "in todo",
  "ralph setup": "in todo, pressing Enter",
  "ralph setup shop": "in nothing, pressing words",
  "ralph setup --yes --from TODO.md --start": "in todo",
  "ralph import prd.md": "in documents, pressing Enter",
  "ralph import prd.docx . --no-agent": "in documents",
  "ralph import _bmad-output/planning-artifacts": "in documents",
  "ralph import --from github --label ralph-task --dry-run": "not run: asks GitHub",
  "ralph logs -f": "in live, pressing Ctrl+C, exit 130",
  "ralph replay -m": "pressing q",
  "ralph replay --iteration 7 --step": "pressing q",
  "ralph stop -C shop": "in live",
  "ralph monitor": "pressing q",
  "ralph monitor 3": "pressing q",
  "ralph attach": "pressing q",
  'ralph inbox answer 2 "Take SQLite"': "in asking",
  'ralph say "Use yargs, not commander"': "in live",
  "ralph stop": "in live",
  "ralph stop --now": "in live",
  "ralph pause": "in paused",
  "ralph resume": "in history",
  "ralph prompt plan --driver codex": "in modes",
  "ralph extend 5": "in live",
  "ralph plan edit 3": "pressing Enter",
  "ralph config edit --user": "pressing Enter",
  "ralph gates accept": "run by tests/e2e/loop/gates.test.ts",
  "ralph gates restore": "run by tests/e2e/loop/gates.test.ts",
  "ralph drivers test codex": "not run: makes one or two real calls",
  "ralph run --worktree=login": "in team",
  "ralph worktrees remove login": "run by tests/e2e/worktrees/worktree-runs.test.ts",
  "ralph land": "in team",
  "ralph land topic fix-7": "in team",
  "ralph land --remote origin": "in team",
  "ralph land --dry-run": "in team",
  "ralph swarm": "run by tests/e2e/fleet/swarm.test.ts",
  "ralph swarm 5 --max-cost 20": "run by tests/e2e/fleet/swarm.test.ts",
  "ralph fleet manifest slurm": "in team",
  "ralph fleet manifest slurm --workers 8 > job.sh": "in team",
  "ralph fleet manifest kubernetes --image registry.example/ralph": "in team",
  "ralph fleet manifest github-actions --image registry.example/ralph": "in team",
  "ralph ui": "run by tests/e2e/ui/access.test.ts",
  "ralph ui --control": "run by tests/e2e/ui/page.test.ts",
  "ralph ui --listen 192.168.1.5 --cert desk.pem --key desk.key": "run by tests/e2e/ui/listen.test.ts",
  "ralph ui --listen 127.0.0.1 --trust-proxy https://desk.example": "run by tests/e2e/ui/listen.test.ts",
  "ralph ui devices revoke safari-iphone": "run by tests/e2e/ui/listen.test.ts",
  "ralph ui stop": "run by tests/e2e/ui/access.test.ts",
  "ralph demo": "in nothing",
  "ralph demo --keep": "in nothing",
  "ralph update --check": "run by tests/e2e/program/update.test.ts",
  "ralph update": "run by tests/e2e/program/update.test.ts",
  'eval "$(ralph completions bash)"': "run by tests/e2e/screens/completions.test.ts",
  "ralph completions fish | source": "run by tests/e2e/screens/completions.test.ts",
  "ralph completions powershell | Out-String | Invoke-Expression": "not run: needs PowerShell",
  "ralph man | man -l -": "not run: needs man, which not every machine has",
};

/** Each example once, in the order of the help. @throws for a mark of an example that is no more */
export function examples(): CommandBlock[] {
  const all = Object.values(COMMANDS).flatMap((definition) => [
    definition,
    ...("subCommands" in definition ? Object.values(definition.subCommands) : []),
  ]);
  const commands = [...new Set(all.flatMap(({ examples }) => examples.map(([command]) => command)))];
  const gone = Object.keys(MARKS).filter((command) => !commands.includes(command));
  if (gone.length > 0) throw new Error(`no command has this example any more: ${gone.join(", ")}`);
  return commands.map((text) => ({ file: "docs/commands.md", line: 0, text, use: useOf(MARKS[text] ?? null, text) }));
}
