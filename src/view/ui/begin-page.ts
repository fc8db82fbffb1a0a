import { text } from "../report/html.ts";

/** A project in which a run can begin; `modes` are those that it has prompts for, `lastMode` the one of its newest run. */
export type BeginProject = {
  id: string;
  title: string;
  path: string;
  is_live: boolean;
  modes: readonly string[];
  lastMode: string | null;
};
/** `found`: whether its program is installed; a project may name another one for it. */
export type BeginAgent = { name: string; displayName: string; found: boolean };

/** What was begun lately: the project of it, and what was put before prompts, the newest first. */
export type BeganLately = { project: string | null; preambles: readonly string[] };

/** What a run has bounds for, each a flag of `ralph run`. */
const BOUNDS = [
  { name: "max_iterations", label: "Iterations, at most", input: 'inputmode="numeric" pattern="[0-9]{1,6}"' },
  { name: "max_cost", label: "US dollars, at most", input: 'inputmode="decimal" pattern="[0-9]{1,6}([.][0-9]{1,2})?"' },
  { name: "max_time", label: "Time, as in 90s, 30m, 8h", input: 'pattern="[0-9]{1,6}[smh]?"' },
] as const;

/** The form that begins a run: what `ralph run --detach` takes, with the project's own settings where a field is left empty. */
export function beginPage(
  projects: readonly BeginProject[],
  agents: readonly BeginAgent[],
  lately: BeganLately,
): string {
  if (projects.length === 0)
    return `<h1>Begin a run</h1><p class="facts">There is no project yet. <a href="#/setup">Set one up</a>, or type <code>ralph setup</code> in its folder.</p>`;
  return `<h1>Begin a run</h1>
<p class="facts"><a href="#/setup">Set a project up, or import tasks</a></p>
<form id="new-run" class="begin">
<label>Project <select name="project" required>${projects.map((one) => projectOption(one, one.id === lately.project)).join("")}</select></label>
<fieldset><legend>What to do</legend>
<label class="pick"><input type="radio" name="what" value="plan" checked> the tasks of its plan</label>
${modes(projects)}<label class="pick"><input type="radio" name="what" value="task"> one task, in your words</label>
<label>The task <textarea name="task" rows="4" maxlength="20000" aria-describedby="task-note"></textarea></label>
<p id="task-note" class="facts">The plan and the prompt of the project are left out then.</p>
<label>Preamble, put before every prompt <input name="preamble" maxlength="2000" autocomplete="off" list="preambles"></label>
<datalist id="preambles">${lately.preambles.map((words) => `<option value="${text(words)}"></option>`).join("")}</datalist>
</fieldset>
<fieldset><legend>Who does it</legend>
<label>Agent <select name="driver"><option value="">as the project says</option>${agents.map(agentOption).join("")}</select></label>
<label>Model <input name="model" maxlength="200" autocomplete="off" list="models" placeholder="as the project says"></label>
<datalist id="models"></datalist>
<button type="button" id="ask-models">Ask the agent for its models</button>
<p id="models-told" class="facts" role="status"></p>
</fieldset>
<fieldset><legend>Where</legend>
<label class="pick"><input type="checkbox" name="worktree"> in a git worktree of its own</label>
<label>Name of the worktree; its branch is ralph/NAME <input name="worktree_name" maxlength="60" pattern="[A-Za-z0-9][\\w.\\-]*" autocomplete="off" placeholder="chosen by ralph"></label>
</fieldset>
<fieldset class="bounds"><legend>Bounds</legend>
${BOUNDS.map(({ name, label, input }) => `<label>${label} <input name="${name}" ${input} maxlength="9" autocomplete="off" placeholder="as the project says"></label>`).join("\n")}
</fieldset>
<div class="buttons"><button>Start now</button></div>
</form>`;
}

function projectOption({ id, title, path, is_live }: BeginProject, isLast: boolean): string {
  return `<option value="${id}"${isLast ? " selected" : ""}>${text(title)}${is_live ? " · runs now" : ""} · ${text(path)}</option>`;
}

/** The page shows those of the chosen project. */
function modes(projects: readonly BeginProject[]): string {
  const options = projects.flatMap((project) =>
    project.modes.map(
      (mode) =>
        `<option value="${text(mode)}" data-of="${project.id}"${mode === project.lastMode ? " data-last" : ""}>${text(mode)}</option>`,
    ),
  );
  return options.length === 0
    ? ""
    : `<div id="modes"><label class="pick"><input type="radio" name="what" value="mode"> its plan, by the prompt of a mode</label>
<label>Mode <select name="mode">${options.join("")}</select></label></div>
`;
}

function agentOption({ name, displayName, found }: BeginAgent): string {
  return `<option value="${text(name)}">${text(displayName)}${found ? "" : " · not installed"}</option>`;
}
