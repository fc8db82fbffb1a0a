import { type Args, defineCommand } from "../args/define.ts";

const COMPLETIONS_ARGS = {
  shell: {
    type: "positional",
    valueHint: "SHELL",
    required: true,
    description: "bash, zsh, fish or powershell",
    completes: ["bash", "zsh", "fish", "powershell"],
  },
} as const satisfies Args;
export type CompletionsArgs = typeof COMPLETIONS_ARGS;

export const COMPLETIONS = defineCommand({
  meta: { name: "completions", description: "completions for a shell" },
  args: COMPLETIONS_ARGS,
  examples: [
    ['eval "$(ralph completions bash)"', "in ~/.bashrc; the same for zsh in ~/.zshrc"],
    ["ralph completions fish | source", "in config.fish"],
    ["ralph completions powershell | Out-String | Invoke-Expression", "in $PROFILE"],
  ],
  load: () => import("../commands/completions.ts"),
});
