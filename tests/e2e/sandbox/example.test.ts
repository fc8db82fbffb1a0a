/** The example of a sandboxed project, as its README has it. */
import { afterAll, expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/paths.ts";
import { cleanUp } from "../support/harness.ts";
import { engines } from "./engines.ts";
import { sandboxedProject } from "./sandboxed-project.ts";

afterAll(cleanUp);

const WORK = `cat > slug.js <<'CODE'
export const slug = (title) =>
  title.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join("-");
CODE
sed -i 's/\\[ \\]/[x]/' .ralph/fix_plan.md
`;

test.skipIf(!engines.some(({ engine }) => engine === "os"))(
  "the sandboxed example gets done, with its check green",
  async () => {
    const made = sandboxedProject(WORK);
    rmSync(made.path(".ralph"), { recursive: true });
    cpSync(join(root, "examples/sandbox"), made.dir, { recursive: true });
    const doctor = await made.ralph("doctor", "--json");
    const rows: { label: string; passed: boolean }[] = JSON.parse(doctor.stdout).results;
    expect(rows.find(({ label }) => label === "sandbox")).toMatchObject({ passed: true });
    const { exit, stdout, stderr } = await made.ralph("run", "--trust");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain("sandbox os (bubblewrap), network: api.anthropic.com");
    expect(made.event("gate_finished")).toMatchObject({ command: "node --test", exit_code: 0 });
  },
);
