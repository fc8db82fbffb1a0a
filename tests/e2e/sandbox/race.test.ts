/** An agent that changes what stands at a name while ralph, outside, reads and writes there. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp } from "../support/harness.ts";
import { engines } from "./engines.ts";
import { sandboxedProject } from "./sandboxed-project.ts";

afterAll(cleanUp);

const SECONDS = 12;

/** A loop of perl that runs beside the others. */
const loop = (body: string) =>
  `perl -e 'my $end = time + ${SECONDS}; my $n = 0; while (time < $end) { $n++; ${body} }' &\n`;
const pause = (seconds: number) => `select(undef, undef, undef, ${seconds});`;

/** Lays links wherever ralph might make a file, and gives it something to do there: the plan is replaced again and again. */
const names = (victim: string) =>
  `${loop(`symlink("${victim}", ".ralph/.\\@fix_plan.md.new");`).repeat(3)}
${loop(`symlink("${victim}", ".ralph/$_") for "\\@fix_plan.md.new", "\\@fix_plan.md.tmp", "inside-\\@fix_plan.md.new"; ${pause(0.001)}`)}
i=0; while [ $i -lt ${SECONDS * 9} ]; do echo "touch /tmp/owned # $i" > .ralph/.t; mv -f .ralph/.t .ralph/@fix_plan.md; sleep 0.1; i=$((i+1)); done
wait
`;

/** The plan and names of ralph's own are links, folders, second names, by turns. */
const swaps = (victim: string, secret: string) =>
  [
    `symlink("${victim}", ".ralph/.a"); rename(".ralph/.a", ".ralph/@fix_plan.md"); ${pause(0.02)}`,
    `open(F, ">", ".ralph/.b"); print F "touch /tmp/owned # $n\n"; close F; rename(".ralph/.b", ".ralph/@fix_plan.md"); ${pause(0.03)}`,
    `symlink("${secret}", ".ralph/.c"); rename(".ralph/.c", ".ralph/@fix_plan.md"); link(".ralph/@fix_plan.md", ".ralph/.d"); rename(".ralph/.d", ".ralph/@fix_plan.md"); ${pause(0.05)}`,
    `mkdir(".ralph/.e"); symlink("${victim}", ".ralph/.e/x"); unlink(".ralph/@fix_plan.md"); rename(".ralph/.e", ".ralph/@fix_plan.md"); ${pause(0.4)} rename(".ralph/@fix_plan.md", ".ralph/.gone$n");`,
    `for my $n ("logs", "notes", "later") { mkdir(".ralph/$n"); symlink("${victim}", ".ralph/$n/link"); rename(".ralph/$n", ".ralph/.f"); symlink("${victim}", ".ralph/$n"); unlink(".ralph/$n"); rename(".ralph/.f", ".ralph/$n") }`,
    `for my $s ("own", "one.md") { symlink("${victim}", ".ralph/specs/$s$n"); unlink(".ralph/specs/$s$n") }`,
  ]
    .map(loop)
    .concat("wait\n")
    .join("");

/** Every regular file below a folder, with its text. */
function texts(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "latin1")]);
}

describe.each(engines)("an agent in a sandbox of $name", ({ flags, env }) => {
  test("wins no race against what ralph does outside", async () => {
    const made = sandboxedProject("", env);
    const [precious, victim] = [join(made.out, "home/precious"), join(made.out, "home/victim")];
    for (const folder of [precious, victim]) mkdirSync(folder);
    writeFileSync(join(precious, "file"), "of the user\n");
    made.write("names.sh", names(join(made.out, "home/.bashrc")));
    made.write("swaps.sh", swaps(victim, join(made.out, "home/.ssh/id_ed25519")));
    const leave = ["@fix_plan.md", "logs", "later"].map((name) => `ln -sfn ${precious} .ralph/${name}`).join("\n");
    made.write("probe.sh", `if [ -e begun ]; then sh swaps.sh\n${leave}\nelse touch begun; sh names.sh; fi\n`);
    const { exit } = await made.ralph("run", "--max-iterations", "2", "--trust", ...flags);
    expect(exit).toBe(4);
    expect(existsSync(join(made.out, "home/.bashrc"))).toBe(false);
    expect(readdirSync(victim)).toEqual([]);
    expect(readFileSync(join(precious, "file"), "utf8")).toBe("of the user\n");
    const outside = texts(made.out).filter(([path]) => !path.startsWith(`${made.dir}/`));
    expect(outside.filter(([, text]) => text.includes("/tmp/owned")).map(([path]) => path)).toEqual([]);
    // Nothing that it may not read was brought to where it may.
    const inside = texts(made.dir).filter(([, text]) => text === "secret\n");
    expect(inside).toEqual([]);
    expect(statSync(made.path(".ralph/@fix_plan.md")).isFile()).toBe(true);
  });

  test("gets nothing moved that lies outside, by a link where something must not stay", async () => {
    const made = sandboxedProject("", env);
    const home = join(made.out, "home");
    mkdirSync(join(home, "other/hooks"), { recursive: true });
    writeFileSync(join(home, "other/hooks/own"), "of the user\n");
    mkdirSync(join(home, "other/commands"));
    writeFileSync(join(home, "other/settings.json"), "{}\n");
    made.write("probe.sh", `ln -s ${home}/other .claude\n`);
    await made.ralph("run", "--max-iterations", "1", "--trust", ...flags);
    expect(readdirSync(join(home, "other")).sort()).toEqual(["commands", "hooks", "settings.json"]);
    expect(made.has(".claude")).toBe(false);
  });
});
