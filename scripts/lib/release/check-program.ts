import { placeOfParts } from "../build/compile.ts";
import type { Target } from "../build/targets.ts";
import { formatOf } from "./binary-format.ts";
import { checkSignature } from "./macho.ts";
import { brandOf } from "./windows.ts";

/** Checks a program without running it. @returns null, or what is wrong with it */
export function checkProgram(program: Buffer, target: Target): string | null {
  const format = formatOf(program);
  if (format.os !== target.os || format.cpu !== target.cpu || format.libc !== target.libc)
    return `it is a program for ${format.os} ${format.cpu} ${format.libc ?? ""}`.trimEnd();
  if (program.includes(`import("${placeOfParts(target.os !== "win32")}`))
    return "its parts look for each other where another system has them";
  if (target.os === "darwin") {
    const signature = checkSignature(program);
    if (signature === null) return "it has no signature";
    if (!signature.isAdHoc || signature.badPages > 0)
      return `its signature does not hold: ${signature.badPages} of ${signature.pages} pages are other ones`;
  }
  if (target.os === "win32") {
    const { texts, icons } = brandOf(program);
    if (texts.ProductName !== "ralph" || icons === 0) return "it does not have the name and the icon of ralph";
  }
  return null;
}
