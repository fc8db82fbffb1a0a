import agent from "../../templates/AGENT.md" with { type: "text" };
import plan from "../../templates/fix_plan.md" with { type: "text" };
import prompt from "../../templates/PROMPT.md" with { type: "text" };
import review from "../../templates/REVIEW_PROMPT.md" with { type: "text" };
import settings from "../../templates/ralphrc.txt" with { type: "text" };
import specs from "../../templates/specs-README.md" with { type: "text" };

/** A template, and the user's file that it comes from; null for a built-in one. */
export type Template = { text: string; file: string | null };

const builtIn = (text: string): Template => ({ text, file: null });

/**
 * The templates of a set-up, under the names by which a user's own replace them. `.gitignore` is not among them: it lists
 * the files that ralph writes at run time.
 */
export const TEMPLATES = {
  "PROMPT.md": builtIn(prompt),
  "fix_plan.md": builtIn(plan),
  "AGENT.md": builtIn(agent),
  "REVIEW_PROMPT.md": builtIn(review),
  "specs-README.md": builtIn(specs),
  "ralphrc.txt": builtIn(settings),
};

export type Templates = Readonly<typeof TEMPLATES>;

/**
 * Replaces each `{{NAME}}` by its value, in one pass: values are never expanded again. An unknown name stays, because a
 * user's template may mean it literally.
 */
export function fillTemplate({ text }: Template, values: Readonly<Record<string, string>>): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(/\{\{([A-Z_]+)\}\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
    );
}
