import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "../../src/cli/args/parse-args.ts";
import { route } from "../../src/cli/args/route.ts";
import { run as runImport } from "../../src/cli/commands/import.ts";
import { run as runSetup } from "../../src/cli/commands/setup.ts";
import { IMPORT } from "../../src/cli/definitions/import.ts";
import { SETUP } from "../../src/cli/definitions/setup.ts";
import { RalphError } from "../../src/core/errors.ts";
import { fakeContext } from "../cli/fake-context.ts";

export type Folder = { dir: string; read(path: string): string | null; write(path: string, text: string): void };
export type Answer = { exit: number; out: string; error: RalphError | null };

/** Runs `use` in a folder called `proj-dir` with these files. */
export async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  use: (folder: Folder) => Promise<T>,
): Promise<T> {
  const top = mkdtempSync(join(tmpdir(), "ralph-setup-"));
  const dir = join(top, "proj-dir");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  const read = (path: string) => (existsSync(join(dir, path)) ? readFileSync(join(dir, path), "utf8") : null);
  try {
    mkdirSync(dir);
    for (const [path, text] of Object.entries(files)) write(path, text);
    return await use({ dir, read, write });
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** Runs `ralph setup …` or `ralph import …` in this process, without a terminal and without any agent on the PATH. */
export async function ralphIn(
  dir: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const written = { out: "" };
  try {
    const { path, rest } = route(argv);
    const options = {
      projectDir: dir,
      env: { HOME: dir, PATH: "", CI: "1", ...env },
      stdout: (text: string) => {
        written.out += text;
      },
    };
    const exit =
      path[0] === "import"
        ? await runImport(fakeContext(parseArgs(IMPORT, rest), options).context)
        : await runSetup(fakeContext(parseArgs(SETUP, rest), options).context);
    return { exit, out: written.out, error: null };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { exit: error.exit, out: written.out, error };
  }
}
