import { text } from "../report/html.ts";

/** A task of the plan as it stands, with the number that `ralph plan` gives it. */
export type PlanRow = {
  number: number;
  text: string;
  section: string | null;
  done: boolean;
  optional: boolean;
  /** Numbers of the tasks that its words say it waits for. */
  after: readonly number[];
};
/** A setting, and where its value comes from; `default` if nowhere says another. */
export type SettingRow = {
  name: string;
  value: string;
  source: string;
  isDefault: boolean;
  /** The value holds a secret, or comes from the environment, which goes before every file: nothing can be changed here. */
  isFixed: boolean;
  help: string;
};

export type ProjectPage = {
  id: string;
  title: string;
  path: string;
  /** Its file and tasks, or why there is none. */
  plan: { name: string; tasks: readonly PlanRow[] } | { fault: string };
  settings: readonly SettingRow[];
  warnings: readonly string[];
  /** Whether anything may be changed. */
  control: boolean;
};

/** The plan and the settings of a project: what `ralph plan` and `ralph config` show, and change with their words. */
export function projectPage({ id, title, path, plan, settings, warnings, control }: ProjectPage): string {
  return `<div data-project-page="${id}"><h1>${text(title)}</h1><p class="facts"><code>${text(path)}</code></p>
${planPart(plan, control)}
${settingsPart(settings, warnings, control)}</div>`;
}

function planPart(plan: ProjectPage["plan"], control: boolean): string {
  if ("fault" in plan) return `<section class="card"><h2>Plan</h2><p class="facts">${text(plan.fault)}</p></section>`;
  const { name, tasks } = plan;
  const done = tasks.filter((task) => task.done).length;
  const add = control
    ? `<form class="words" data-plan="add"><label>New task <input name="text" maxlength="2000" required autocomplete="off"></label>
<label>After task <input name="after" inputmode="numeric" pattern="[0-9]*" maxlength="6" size="4" autocomplete="off" placeholder="last"></label><button>Add</button></form>`
    : "";
  return `<section class="card" aria-labelledby="plan-title"><h2 id="plan-title">Plan</h2><p class="facts">${done} of ${tasks.length} done · <code>${text(name)}</code></p>
<ol class="tasks">${tasks.map((task, at) => taskRow(task, { before: tasks[at - 1], after: tasks[at + 1], control })).join("")}</ol>${add}</section>`;
}

type Around = { before: PlanRow | undefined; after: PlanRow | undefined; control: boolean };

function taskRow(task: PlanRow, { before, after, control }: Around): string {
  const { number, done, optional, section } = task;
  const heading =
    section !== null && section !== (before?.section ?? null) ? `<p class="facts">${text(section)}</p>` : "";
  const named = `${number}, ${task.text}`;
  const button = (what: string, sign: string, label: string, other = "") =>
    `<button type="button" data-plan="${what}"${other} aria-label="${text(`${label}: ${named}`)}">${sign}</button>`;
  const place = (to: PlanRow) => ` data-other="${to.number}" data-other-text="${text(to.text)}"`;
  const buttons = [
    before === undefined ? "" : button("up", "↑", "Before the task above", place(before)),
    after === undefined ? "" : button("down", "↓", "After the task below", place(after)),
    button("reword", "edit", "edit"),
    done ? "" : button("after", "waits for", "waits for which tasks", ` data-after="${task.after.join(", ")}"`),
    done || optional ? "" : button("skip", "skip", "skip, not needed for done"),
    done ? button("open", "reopen", "reopen") : button("done", "done", "done"),
  ];
  const actions = control ? `<span class="buttons">${buttons.join("")}</span>` : "";
  return `<li data-number="${number}" data-text="${text(task.text)}"${done ? ' class="done"' : ""}>${heading}<span class="task"><span aria-hidden="true">${done ? "☑" : "☐"}</span> <small>${number}</small> ${text(task.text)}${done ? '<span class="sr"> (done)</span>' : ""}${optional ? " <small>optional</small>" : ""}${task.after.length === 0 ? "" : ` <small>waits for ${task.after.join(", ")}</small>`}</span>${actions}</li>`;
}

function settingsPart(settings: readonly SettingRow[], warnings: readonly string[], control: boolean): string {
  const changed = settings.filter(({ isDefault }) => !isDefault);
  const defaults = settings.filter(({ isDefault }) => isDefault);
  const list = (rows: readonly SettingRow[]) =>
    `<dl class="settings">${rows.map((row) => settingRow(row, control)).join("")}</dl>`;
  return `<section class="card" aria-labelledby="settings-title"><h2 id="settings-title">Settings</h2>
${warnings.map((warning) => `<p class="warn">${text(warning)}</p>`).join("")}
${changed.length === 0 ? `<p class="facts">All settings are defaults.</p>` : list(changed)}
<details id="defaults"><summary>Defaults (${defaults.length})</summary>${list(defaults)}</details></section>`;
}

function settingRow({ name, value, source, isDefault, isFixed, help }: SettingRow, control: boolean): string {
  const change =
    control && !isFixed
      ? `<button type="button" data-setting="${text(name)}" data-value="${text(value)}" aria-label="change ${text(name)}">change</button>`
      : "";
  const where = isDefault ? "" : ` <small>${text(`from ${source}`)}</small>`;
  return `<div><dt><code>${text(name)}</code></dt><dd><code>${text(value)}</code>${where}${change}<p class="facts">${text(help)}</p></dd></div>`;
}
