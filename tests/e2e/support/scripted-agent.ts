/** A scripted agent (tests/agents/scripted.ts) below the name of an agent's program. What the shell can play, it plays without a start of Bun. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../../scripts/lib/paths.ts";
import { singleQuoted } from "../../../src/core/text/shell-words.ts";
import type { Call, Step } from "../../agents/scripted.ts";

const VERSION_OF_AGENT = "2.1.197 (Claude Code)";

/** What `scripted.ts` alone can do. */
const NEEDS_BUN = ["delay_ms", "waits_for", "hangs", "ignores_term", "child", "flood", "deaf"] as const;

/** Puts a program of that name into `bin` that plays the script of a folder, and says that it has the version SCRIPTED_VERSION. */
export function installAgent(bin: string, name: string, folder: string): void {
  const words = [process.execPath, join(root, "tests/agents/scripted.ts"), folder];
  if (process.platform === "win32") {
    const says = [
      `@if not "%~1"=="--version" goto plays`,
      `@if not defined SCRIPTED_VERSION set "SCRIPTED_VERSION=${VERSION_OF_AGENT}"`,
      "@echo %SCRIPTED_VERSION%& exit /b",
      ":plays",
    ];
    const lines = [...says, `@${words.map((word) => `"${word}"`).join(" ")} %*`, ""];
    writeFileSync(join(bin, `${name}.cmd`), lines.join("\r\n"));
    return;
  }
  const lines = [
    "#!/bin/sh",
    `[ "$1" = --version ] && echo "\${SCRIPTED_VERSION:-${VERSION_OF_AGENT}}" && exit`,
    `agent=${singleQuoted(folder)}`,
    // The option `plays` of a project.
    `[ -e "$agent/plays.sh" ] && . "$agent/plays.sh"`,
    "nth=0",
    `[ -e "$agent/calls" ] && while read -r _; do nth=$((nth + 1)); done < "$agent/calls"`,
    `bun() { exec ${words.map(singleQuoted).join(" ")} "$@"; }`,
    "cd -P .",
    // Its programs are there in each environment that a test gives ralph.
    `takes() { command -p cat > "$agent/$$.stdin"; printf '%s\\0' "\${RALPH_RUN-}" "$PWD" "$@" > "$agent/$$.words"; echo $$ >> "$agent/calls"; }`,
    `puts() { [ -d "\${1%/*}" ] || command -p mkdir -p "\${1%/*}"; printf %s "$2" > "$1"; }`,
    `. "$agent/script.sh"`,
    "",
  ];
  writeFileSync(join(bin, name), lines.join("\n"));
  chmodSync(join(bin, name), 0o755);
}

/** Writes the steps that the agent of a folder plays from its next call on, as many as it had calls before passed over. */
export function writeScript(folder: string, steps: readonly Step[]): void {
  writeFileSync(join(folder, "script.json"), JSON.stringify(steps));
  const all = steps.length === 0 ? [{}] : steps;
  const cases = all.map((step, index) => `${index === all.length - 1 ? "*" : index})\n${shellOf(step)};;\n`);
  writeFileSync(join(folder, "script.sh"), `case $nth in\n${cases.join("")}esac\n`);
}

function shellOf(step: Step): string {
  const says = (text: string | undefined) => (text === undefined ? [] : [`printf %s ${singleQuoted(text)}`]);
  const changes = Object.entries(step.files ?? {}).map(([path, content]) =>
    content === null
      ? `command -p rm -rf ${singleQuoted(path)} || exit 1`
      : `puts ${singleQuoted(dirname(path))}/${singleQuoted(path.slice(path.lastIndexOf("/") + 1))} ${singleQuoted(content)} || exit 1`,
  );
  const lines = [
    `takes "$@"`,
    ...says(step.first_stdout),
    ...changes,
    ...(step.shell === undefined ? [] : [`sh -c ${singleQuoted(step.shell)} </dev/null >/dev/null 2>&1`]),
    ...says(step.stdout),
    ...says(step.stderr).map((line) => `${line} >&2`),
    `exit ${step.exit ?? 0}`,
  ];
  const isForShell = NEEDS_BUN.every((key) => step[key] === undefined) && !lines.some((line) => line.includes("\0"));
  return isForShell ? `${lines.join("\n")}\n` : `bun "$@"\n`;
}

/** The calls that the agent of a folder had, in their order. */
export function callsIn(folder: string): Call[] {
  const list = join(folder, "calls");
  const lines = existsSync(list) ? readFileSync(list, "utf8").split("\n").slice(0, -1) : [];
  return lines.map((pid): Call => {
    const kept = join(folder, pid);
    if (existsSync(`${kept}.json`)) return JSON.parse(readFileSync(`${kept}.json`, "utf8"));
    const [marker = "", cwd = "", ...argv] = readFileSync(`${kept}.words`, "utf8").split("\0").slice(0, -1);
    const stdin = readFileSync(`${kept}.stdin`, "utf8");
    return { pid: Number(pid), argv, stdin, marker: marker === "" ? null : marker, cwd, child: null };
  });
}
