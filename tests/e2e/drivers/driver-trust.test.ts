/** The question on a terminal whether a project's driver may run: asked once for each content. */
import { expect, test } from "bun:test";
import { binary } from "../../../scripts/lib/paths.ts";
import { type Project, project, until } from "../support/harness.ts";

const driver = (name: string) =>
  `export default { name: "mine", displayName: "${name}", cliBinary: "nowhere", validTools: [], buildCommand: () => ({ argv: ["x"] }) };\n`;

/** Runs ralph on a terminal of its own and answers its questions. */
async function onTerminal(p: Project, answer: string, ...argv: string[]): Promise<{ exit: number; screen: string }> {
  let screen = "";
  const child = Bun.spawn([binary, ...argv], {
    cwd: p.dir,
    env: { ...p.env, TERM: "xterm-256color", CI: "" },
    terminal: {
      cols: 100,
      rows: 30,
      data(_: unknown, bytes: Uint8Array) {
        screen += new TextDecoder().decode(bytes);
      },
    },
  });
  const isAsked = () => screen.includes("may it run?");
  await until("ralph asks or ends", () => isAsked() || child.exitCode !== null);
  if (isAsked()) child.terminal?.write(answer);
  return { exit: await child.exited, screen };
}

test.skipIf(process.platform === "win32")("trust in a driver is remembered until its file changes", async () => {
  const p = project({ files: { ".ralph/drivers/mine.mjs": driver("First") }, git: false });
  const show = ["drivers", "show", "mine"];
  const refused = await onTerminal(p, "\r", ...show);
  expect({ exit: refused.exit, ran: refused.screen.includes("First") }).toEqual({ exit: 7, ran: false });
  const agreed = await onTerminal(p, "y", ...show);
  expect({ exit: agreed.exit, ran: agreed.screen.includes("First") }).toEqual({ exit: 0, ran: true });
  expect(await p.ralph(...show)).toMatchObject({ exit: 0, stdout: expect.stringContaining("First") });
  p.write(".ralph/drivers/mine.mjs", driver("Second"));
  expect(await p.ralph(...show)).toMatchObject({ exit: 7, stderr: expect.stringContaining("--trust-driver") });
});
