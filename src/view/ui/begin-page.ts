import { text } from "../report/html.ts";

/** A project in which a run can begin; `modes` are those that it has prompts for. */
export type BeginProject = { id: string; title: string; path: string; is_live: boolean; modes: readonly string[] };
/** `found`: whether its program is installed; a project may name another one for it. */
export type BeginAgent = { name: string; displayName: string; found: boolean };

/** What a run has bounds for, each a flag of `ralph run`. */
const BOUNDS = [
  { name: "max_iterations", label: "Iterations at most", input: 'inputmode="numeric" pattern="[0-9]{1,6}"' },
  { name: "max_cost", label: "US dollars at most", input: 'inputmode="decimal" pattern="[0-9]{1,6}([.][0-9]{1,2})?"' },
  { name: "max_time", label: "For so long (90s, 30m, 8h)", input: 'pattern="[0-9]{1,6}[smh]?"' },
] as const;

/** The form that begins a run: what `ralph run --detach` takes, with the project's own settings where a field is left empty. */
export function beginPage(projects: readonly BeginProject[], agents: readonly BeginAgent[]): string {
  if (projects.length === 0)
    return `<h1>Begin a run</h1><p class="facts">There is no project yet. <a href="#/setup">Set one up</a>, or type <code>ralph setup</code> in its folder.</p>`;
  return `<h1>Begin a run</h1>
<p class="facts"><a href="#/setup">Set a project up, or import tasks</a></p>
<form id="new-run" class="begin">
<label>Project <select name="project" required>${projects.map(projectOption).join("")}</select></label>
<fieldset><legend>What to do</legend>
<label class="pick"><input type="radio" name="what" value="plan" checked> the plan of the project</label>
${modes(projects)}<label class="pick"><input type="radio" name="what" value="task"> this</label>
<label>In words <textarea name="task" rows="4" maxlength="20000" aria-describedby="task-note"></textarea></label>
<p id="task-note" class="facts">Only for “this”: a run without plan and prompt files.</p>
<label>Before the prompt <input name="preamble" maxlength="2000" autocomplete="off"></label>
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
<label>Its name, and that of the branch after <code>ralph/</code> <input name="worktree_name" maxlength="60" pattern="[A-Za-z0-9][\\w.\\-]*" autocomplete="off" placeholder="chosen by ralph"></label>
</fieldset>
<fieldset><legend>Bounds</legend>
${BOUNDS.map(({ name, label, input }) => `<label>${label} <input name="${name}" ${input} maxlength="9" autocomplete="off" placeholder="as the project says"></label>`).join("\n")}
</fieldset>
<div class="buttons"><button>Start now</button></div>
</form>`;
}

function projectOption({ id, title, path, is_live }: BeginProject): string {
  return `<option value="${id}">${text(title)}${is_live ? " · runs now" : ""} · ${text(path)}</option>`;
}

/** The page shows those of the chosen project. */
function modes(projects: readonly BeginProject[]): string {
  const options = projects.flatMap((project) =>
    project.modes.map((mode) => `<option value="${text(mode)}" data-of="${project.id}">${text(mode)}</option>`),
  );
  return options.length === 0
    ? ""
    : `<div id="modes"><label class="pick"><input type="radio" name="what" value="mode"> the plan, by the prompt of a mode</label>
<label>Mode <select name="mode">${options.join("")}</select></label></div>
`;
}

function agentOption({ name, displayName, found }: BeginAgent): string {
  return `<option value="${text(name)}">${text(displayName)}${found ? "" : " · not installed"}</option>`;
}
