import ignored from "../../templates/gitignore.txt" with { type: "text" };
import type { Answers } from "./answers.ts";
import type { Layout } from "./detect/project-layout.ts";
import { newSettingsFile } from "./edit-settings.ts";
import { newPlan } from "./plan/new-plan.ts";
import type { Task } from "./plan/task.ts";
import { inlineCode, MAX_COMMAND, sanitizeName } from "./sanitize-text.ts";
import { fillTemplate, type Template, type Templates } from "./templates.ts";

/** A file that a project needs. An `ours` file is updated as long as it is unedited; the others are created once. */
export type ScaffoldFile = {
  path: string;
  content: string;
  ours: boolean;
  /** Its purpose in a few words, for the preview. */
  about?: string;
  /** The user's own template that the content is made from. */
  template?: string;
  /** Merges new content into an edited file; without this an edited file stays unchanged. */
  merge?: (theirs: string, fresh: string) => string;
};

/** The present or future paths of a project's files. */
export type Places = { prompt: string; plan: string; agent: string; settings: string };

/** The place of each file: its existing one, else the one for new projects (product.md "Files"). */
export function placesOf(layout: Pick<Layout, "prompt" | "plan" | "agent" | "settings">): Places {
  return {
    prompt: layout.prompt ?? ".ralph/PROMPT.md",
    plan: layout.plan ?? ".ralph/@fix_plan.md",
    agent: layout.agent ?? ".ralph/@AGENT.md",
    settings: layout.settings ?? ".ralph/.ralphrc",
  };
}

export type ProjectContent = {
  answers: Answers;
  /** Whether the agent can look at finished work without changing it. */
  looks: boolean;
  templates: Templates;
  places: Places;
  tasks: readonly Task[];
  /** The goal of the project, as Markdown; null if only plan and specs state it. */
  objective: string | null;
  /** Lines for the plan's notes. */
  notes: readonly string[];
  /** A new project, which also gets folders and a README. */
  isNew: boolean;
  hasSource: boolean;
};

/** The goal in the prompt of a project that has no other. */
export const GOAL = "The goal stands in the plan and in `.ralph/specs/`.";

/**
 * The goal in the prompt of a project that was made of a document.
 * @param base name of its spec, without `.md`
 * @param title of the document, as Markdown
 */
export function specGoal(base: string, title: string): string {
  return `The goal: build what \`.ralph/specs/${base}.md\` describes (${title}).`;
}

/** Every file of a Ralph project, as for an empty folder. */
export function scaffoldFiles({
  answers,
  looks,
  templates,
  places,
  tasks,
  objective,
  notes,
  isNew,
  hasSource,
}: ProjectContent): ScaffoldFile[] {
  const project = inlineCode(answers.name);
  const ours = (path: string, about: string, content: string): ScaffoldFile => ({ path, about, content, ours: true });
  const once = (path: string, about: string, content: string): ScaffoldFile => ({ path, about, content, ours: false });
  const from = ({ file }: Template, made: ScaffoldFile): ScaffoldFile =>
    file === null ? made : { ...made, template: file };
  const {
    "PROMPT.md": prompt,
    "fix_plan.md": plan,
    "AGENT.md": agent,
    "REVIEW_PROMPT.md": review,
    "specs-README.md": specs,
    "ralphrc.txt": settings,
  } = templates;
  return [
    from(prompt, {
      path: places.prompt,
      about: "the instructions for the agent",
      content: fillTemplate(prompt, {
        PROJECT: project,
        OBJECTIVE: objective ?? GOAL,
        PLAN: places.plan,
        AGENT: places.agent,
      }),
      // With a goal of its own it is no longer the shipped file.
      ours: objective === null,
    }),
    from(plan, once(places.plan, "the tasks, as boxes to tick", newPlan(answers.name, tasks, notes, plan))),
    from(agent, once(places.agent, "how to build, test and run it", agentFile(agent, answers, hasSource))),
    from(specs, ours(".ralph/specs/README.md", "your requirements go in here", fillTemplate(specs, {}))),
    from(review, ours(".ralph/REVIEW_PROMPT.md", "only for REVIEW_MODE, which is off", fillTemplate(review, {}))),
    from(settings, ours(places.settings, "settings and bounds", newSettingsFile(settings, answers, looks))),
    ours(".ralph/.gitignore", "keeps logs and runs out of git", ignored.replaceAll("\r\n", "\n")),
    ...(isNew
      ? [
          once(".ralph/examples/.gitkeep", "keeps the folder", ""),
          once(".ralph/docs/generated/.gitkeep", "keeps the folder", ""),
          once(
            "README.md",
            "the project's name",
            `# ${sanitizeName(answers.name).replace(/[<>[\]\\`*_#]/g, "\\$&")}\n`,
          ),
          ...(hasSource ? [] : [once("src/.gitkeep", "keeps the folder", "")]),
        ]
      : []),
  ];
}

const UNKNOWN_STACK = "Nothing is known yet about what it is built with.";
const NO_STACK = `No source is there yet. Whoever takes the first task that needs some chooses language and tools as the specs want
them, begins with the smallest build and test that run, and writes the commands down here.`;

/** The agent file belongs to the agents, who write down what they learn. */
function agentFile(template: Template, { name, stack, commands, testCommand }: Answers, hasSource: boolean): string {
  const word = (command: string | null) => (command === null ? "not known yet" : inlineCode(command, MAX_COMMAND));
  return fillTemplate(template, {
    PROJECT: inlineCode(name),
    STACK: stack === "" ? (hasSource ? UNKNOWN_STACK : NO_STACK) : `Found when ralph was set up: ${stack}.`,
    INSTALL: word(commands.install),
    BUILD: word(commands.build),
    TEST: word(testCommand ?? commands.test),
    RUN: word(commands.run),
    LINT: word(commands.lint),
  });
}
