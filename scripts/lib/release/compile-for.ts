import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../build/compile.ts";
import { ralphFor } from "../build/program.ts";
import { loadRuntime } from "../build/runtimes.ts";
import { bunTarget, type Target } from "../build/targets.ts";
import { root } from "../paths.ts";
import { checkSignature, signedAdHoc } from "./macho.ts";
import { branded } from "./windows.ts";

/**
 * Compiles ralph for any target: takes the runtime from its npm package, adds our name and icon for Windows, and a
 * valid signature for macOS.
 * @throws Error if the runtime is unavailable, the compiler fails, or the result is wrong
 */
export async function compileFor(target: Target, outfile: string, folder = root, env = process.env): Promise<void> {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const scratch = mkdtempSync(join(tmpdir(), "ralph-runtime-"));
  try {
    const runtime = join(scratch, target.os === "win32" ? "bun.exe" : "bun");
    const content = await loadRuntime(target);
    writeFileSync(runtime, target.os === "win32" ? branded(content, about) : content, { mode: 0o755 });
    const problem = await compile({
      ...(await ralphFor(target, outfile, folder, env)),
      target: bunTarget(target),
      runtime,
    });
    if (problem !== null) throw new Error(problem);
    if (target.os === "darwin") mendSignature(outfile);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function mendSignature(file: string): void {
  const program = readFileSync(file);
  const report = checkSignature(program);
  if (report?.isAdHoc === true && report.badPages === 0) return;
  const signed = signedAdHoc(program, "ralph");
  if (checkSignature(signed)?.badPages !== 0) throw new Error(`${file}: the new signature does not hold`);
  writeFileSync(file, signed);
}
