const MAX_LENGTH = 100;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/**
 * Why a text cannot name a project's folder on every platform (as in bmalph); null if it can. `.` means the folder
 * itself.
 */
export function folderNameProblem(name: string): string | null {
  if (name === ".") return null;
  if (name.trim() === "") return "it is empty";
  if ([...name].length > MAX_LENGTH) return `it has more than ${MAX_LENGTH} characters`;
  if (/[/\\]/.test(name)) return "it contains a slash, but a name is one folder";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with such a character can neither be read nor typed
  if (/[<>:"|?*\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/.test(name))
    return "it contains a character that file systems refuse";
  if (/^[\s.-]|[\s.]$/.test(name)) return "it begins with a blank, dot or dash, or ends with a blank or dot";
  return WINDOWS_DEVICE.test(name) ? "Windows keeps that name for a device" : null;
}

/** A folder called as a file is (its name without ending), as `ralph-import` always did; derived where that can't be one. */
export function folderNameFromFile(stem: string): string {
  return stem === "." || folderNameProblem(stem) !== null ? folderNameFrom(stem) : stem;
}

/** A folder name derived from the title of a document or project. */
export function folderNameFrom(title: string): string {
  const slug = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .replace(/-+$/, "");
  return slug === "" || WINDOWS_DEVICE.test(slug) ? "my-project" : slug;
}
