import { manPage } from "../args/man-page.ts";
import type { CommandContext } from "../context.ts";

/** `ralph man`: the manual page, for a man program. */
export async function run({ commands, stdout }: CommandContext): Promise<number> {
  stdout(manPage(await commands()));
  return 0;
}
