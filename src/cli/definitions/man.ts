import { defineCommand } from "../args/define.ts";

export const MAN = defineCommand({
  meta: { name: "man", description: "the manual page" },
  args: {},
  examples: [
    ["ralph man | man -l -", "read it"],
    ["ralph man > ~/.local/share/man/man1/ralph.1", "keep it, for `man ralph`"],
  ],
  load: () => import("../commands/man.ts"),
});
