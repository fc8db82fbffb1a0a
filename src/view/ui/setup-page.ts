import { text } from "../report/html.ts";

/**
 * The form that makes a folder a project, or brings tasks into one: what `ralph setup` and `ralph import` take.
 * @param folders offered before anything is typed
 */
export function setupPage(folders: readonly string[]): string {
  return `<h1>Set up, or import tasks</h1>
<form id="new-project" class="begin">
<label>Folder, with its whole path <input name="folder" required maxlength="1000" autocomplete="off" list="folders" aria-describedby="folder-note"></label>
<datalist id="folders">${folders.map((path) => `<option value="${text(path)}"></option>`).join("")}</datalist>
<p id="folder-note" class="facts">Those that are there are offered as you type; one that is not is made. In a project that is set up, tasks are added to its plan.</p>
<fieldset><legend>Tasks</legend>
<label>From <input name="source" maxlength="1000" autocomplete="off" placeholder="none" aria-describedby="source-note"></label>
<p id="source-note" class="facts">A file, folder or issue: prd.md, #12, OWNER/REPO#12, an address.</p>
<label class="pick"><input type="checkbox" name="agent"> let the agent read it: costs a call, for the preview too; the project has to be set up</label>
</fieldset>
<label>A command that must succeed before done is believed <input name="test_command" maxlength="1000" autocomplete="off" placeholder="what is found there"></label>
<div class="buttons"><button type="button" data-preview>Preview</button> <button>Write it</button></div>
</form>
<pre id="setup-told" tabindex="0" aria-label="What changes" hidden></pre>`;
}
