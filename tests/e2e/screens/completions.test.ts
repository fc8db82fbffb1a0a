/** Completions of the compiled program in the real shells. PowerShell's script is only inspected. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import { run } from "../../../scripts/lib/run-program.ts";
import { cleanEnvironment } from "../../../scripts/lib/tests/environment.ts";
import { testFolder } from "../../folders.ts";
import { terminal } from "../support/terminal.ts";

const folder = testFolder("completions");

beforeAll(() => {
  mkdirSync(join(folder, ".ralph", "runs", "0001-20261122-101500"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, ".ralph", "runs", "0001-20261122-101500", "events.jsonl"), "");
  writeFileSync(join(folder, ".ralph", "PROMPT-plan.md"), "");
  writeFileSync(join(folder, "a prompt.md"), "");
  symlinkSync(binary, join(folder, "bin", "ralph"));
  const second = join(folder, "two words", ".ralph");
  mkdirSync(second, { recursive: true });
  writeFileSync(join(second, "PROMPT-my mode.md"), "");
});

/** The words that a shell offers for a line, sorted. */
type Offered = (line: string) => Promise<string[]>;

async function offered(argv: readonly string[]): Promise<string[]> {
  const env = { ...cleanEnvironment(folder, [join(folder, "bin")]), TERM: "xterm" };
  const { output } = await run(argv, { cwd: folder, env, timeoutMs: 20_000 });
  return output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .sort();
}

/** Bash: calls the completion function as readline would, with the line split by bash's rules. */
const bash: Offered = (line) =>
  offered([
    "bash",
    "--norc",
    "-c",
    `eval "$(ralph completions bash)"
     COMP_LINE=$1 COMP_POINT=\${#1}
     read -ra COMP_WORDS <<<"\${1//=/ = }"
     [[ $1 == *' ' ]] && COMP_WORDS+=('')
     COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
     _ralph ralph
     printf '%s\\n' "\${COMPREPLY[@]}"`,
    "bash",
    line,
  ]);

const fish: Offered = async (line) => {
  const script = 'ralph completions fish | source; complete -C "$argv[1]"';
  const lines = await offered(["fish", "--no-config", "-c", script, line]);
  return lines.map((one) => one.split("\t")[0] ?? "");
};

/**
 * Zsh completes only on a terminal: it gets one (zpty), on which it prints the list of offers. It may need more than
 * one pass for a list.
 */
const zsh: Offered = async (line) => [...new Set(await zshPasses(line))];
const zshPasses: Offered = (line) =>
  offered([
    "zsh",
    "-f",
    "-c",
    `zmodload zsh/zpty
     zpty shell zsh -f -i
     zpty -w shell 'PROMPT= RPROMPT=; autoload -Uz compinit; compinit -D -u; eval "$(ralph completions zsh)"'
     zpty -w shell 'compadd() { local -a found; builtin compadd -O found "$@"; (( $#found )) && printf "offer:%s\\\\n" "\${found[@]}"; builtin compadd "$@" }'
     zpty -w shell 'report() { _main_complete; print -r -- "complete:end"; exit }; zle -C report complete-word report; bindkey "^I" report; print -r -- "read""y"'
     while zpty -r shell text && [[ $text != *ready* ]]; do :; done
     zpty -w -n shell $1$'\\t'
     while zpty -r shell text; do
       for one in \${(f)text}; do [[ $one == *offer:* ]] && print -r -- \${\${one##*offer:}%$'\\r'}; done
       [[ $text == *complete:end* ]] && break
     done`,
    "zsh",
    line,
  ]);

const shells: [string, Offered][] = [
  ["bash", bash],
  ["fish", fish],
  ["zsh", zsh],
];

for (const [name, ask] of shells) {
  const isThere = Bun.which(name) !== null;
  describe.skipIf(!isThere)(isThere ? name : `${name} (skipped: it is not installed)`, () => {
    test.each([
      ["ralph circ", ["circuit"]],
      ["ralph circuit ", ["reset", "status"]],
      ["ralph run --on-limit ", ["stop", "wait"]],
      ["ralph drivers show co", ["codex", "copilot"]],
      ["ralph run pl", ["plan"]],
      ["ralph logs ", ["0001-20261122-101500"]],
      ["ralph completions p", ["powershell"]],
    ])("completes: %s", async (line, expected) => expect(await ask(line)).toEqual(expected));

    test("completes a file name with a blank", async () => {
      const found = (await ask("ralph run --prompt a")).join(" ");
      expect(found).toContain("a");
      expect(found).toContain("prompt.md");
    });
  });
}

/** How to start each shell and load the completions, with a recognisable prompt. */
const TYPED: Readonly<Record<string, readonly [argv: readonly string[], setUp: string]>> = {
  bash: [["--norc", "--noprofile"], 'eval "$(ralph completions bash)"; PS1=read""y'],
  "bash without compopt": [
    ["--norc", "--noprofile"],
    'enable -n compopt; eval "$(ralph completions bash)"; PS1=read""y',
  ],
  zsh: [["-f"], 'autoload -Uz compinit; compinit -D -u; eval "$(ralph completions zsh)"; PROMPT=read""y'],
  fish: [["--no-config"], 'ralph completions fish | source; function fish_prompt; echo -n read""y; end'],
};

describe.each(Object.entries(TYPED))(
  "a line typed into %s, once completed, has the right words",
  (name, [argv, setUp]) => {
    const program = Bun.which(name.split(" ")[0] ?? "");
    test.skipIf(program === null).each([
      ["analyze a\\ p", ["analyze", "a prompt.md"]],
      ['analyze "a p', ["analyze", "a prompt.md"]],
      ["run --prompt=a", ["run", "--prompt=a prompt.md"]],
      ["-C two\\ words run my\\ ", ["-C", "two words", "run", "my mode"]],
      ['-C "two words" run m', ["-C", "two words", "run", "my mode"]],
      ["--project-dir=two\\ words run m", ["--project-dir=two words", "run", "my mode"]],
      ["-C ~/two\\ words run m", ["-C", `${folder}/two words`, "run", "my mode"]],
      ["run --until 18:00 pl", ["run", "--until", "18:00", "plan"]],
      [`run --on-limit${"\u001b[D".repeat("limit".length)}`, ["run", "--on-limit"]],
    ])("%s", async (line, words) => {
      const env = cleanEnvironment(folder, [join(folder, "bin")]);
      const shell = terminal(argv, { cwd: folder, env, program: [program ?? ""], columns: 200 });
      try {
        shell.type(`${setUp}\n`);
        await shell.sees("ready");
        // After the completion key, Ctrl+A turns the line into a command that prints its words.
        shell.type(`ralph ${line}\t\u0001printf '<%s>' \n`);
        await shell.sees(["ralph", ...words].map((word) => `<${word}>`).join(""));
      } finally {
        process.kill(shell.pid, "SIGKILL");
        await shell.ended;
      }
    });
  },
);

test.skipIf(Bun.which("bash") === null)("bash completes the value after an equals sign", async () => {
  expect(await bash("ralph run --on-limit=")).toEqual(["stop", "wait"]);
  expect(await bash("ralph run --on-limit=w")).toEqual(["wait"]);
});

test.skipIf(Bun.which("bash") === null)("bash gets a name with commands in it quoted", async () => {
  const [mode, project] = ["$(touch pwned) `x` 'y", join(folder, "hostile")];
  mkdirSync(project);
  writeFileSync(join(project, `PROMPT-${mode}.md`), "");
  writeFileSync(join(project, "PROMPT-two\nlines.md"), "");
  const offers = await bash(`ralph -C ${project} run `);
  expect(offers).toHaveLength(1);
  const typed = 'cd "$1" && eval "printf %s $2"';
  const { stdout } = Bun.spawnSync(["bash", "-c", typed, "bash", project, offers[0] ?? ""]);
  expect(stdout.toString()).toBe(mode);
  expect(readdirSync(project)).not.toContain("pwned");
});

test("PowerShell's script registers a completer, and its brackets close", async () => {
  const { output } = await run([binary, "completions", "powershell"]);
  expect(output).toContain("Register-ArgumentCompleter -Native -CommandName ralph");
  expect(output).toContain('__complete "=$wordToComplete"');
  const bare = output.replace(/'(?:[^']|'')*'|"(?:[^"`]|`.)*"|#.*$/gm, "");
  for (const [open, close] of ["{}", "()", "[]"].map((pair) => [...pair]))
    expect(bare.split(open ?? "").length).toBe(bare.split(close ?? "").length);
});

test("PowerShell's script doubles each letter that PowerShell takes for a single quote, typographic ones too", async () => {
  const { output } = await run([binary, "completions", "powershell"]);
  const [, pattern = "(?!)"] = /\$text -replace "([^"]+)", '\$0\$0'/.exec(output) ?? [];
  const quotes = "'\u2018\u2019\u201a\u201b";
  expect(`$(a)${quotes}\u201c`.replace(new RegExp(pattern, "g"), "$&$&")).toBe(
    `$(a)${[...quotes].map((one) => one + one).join("")}\u201c`,
  );
});

test("completions for an unknown shell are wrong usage", async () => {
  expect(await run([binary, "completions", "zhs"])).toMatchObject({
    exitCode: 2,
    output: expect.stringContaining("Did you mean zsh?"),
  });
});
