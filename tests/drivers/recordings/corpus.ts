import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One recorded run of an agent CLI. */
export type Recorded = { cli: string; name: string; bytes: Buffer; text: string; exitCode: number; stderr: string };

const BY_SIGNAL = 143;
const FOLDER = join(import.meta.dirname, "..", "..", "fixtures", "agent-output");

/** All recorded runs, with the CLI's stderr and exit code. */
export function corpus(): Recorded[] {
  return readdirSync(FOLDER).flatMap((cli) =>
    readdirSync(join(FOLDER, cli))
      .filter((name) => !name.endsWith(".meta.json"))
      .sort()
      .map((name) => {
        const meta = JSON.parse(readFileSync(join(FOLDER, cli, name.replace(/\.[^.]+$/, ".meta.json")), "utf8"));
        const bytes = readFileSync(join(FOLDER, cli, name));
        const { exitCode, stderr } = meta;
        return { cli, name, bytes, text: bytes.toString("utf8"), exitCode: exitCode ?? BY_SIGNAL, stderr };
      }),
  );
}
