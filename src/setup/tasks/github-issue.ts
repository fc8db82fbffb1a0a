import { asObject, asText } from "../detect/files.ts";

/** The fields of an issue that an import needs, from the API or from `gh`. */
export type Issue = {
  number: number;
  title: string;
  body: string;
  labels: string[];
  state: "open" | "closed";
  url: string | null;
};

/** Reads a list of issues, without the pull requests that the API includes. Null if the value is no list. */
export function readIssues(json: unknown): Issue[] | null {
  if (!Array.isArray(json)) return null;
  return json.flatMap((one): Issue[] => {
    const issue = asObject(one) ?? {};
    const title = asText(issue.title);
    if (typeof issue.number !== "number" || title === null || issue.pull_request !== undefined) return [];
    return [
      {
        number: issue.number,
        title,
        body: typeof issue.body === "string" ? issue.body : "",
        labels: namesOf(issue.labels),
        state: String(issue.state).toLowerCase() === "closed" ? "closed" : "open",
        url: asText(issue.html_url) ?? asText(issue.url),
      },
    ];
  });
}

function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => (typeof one === "string" ? one : (asText(asObject(one)?.name) ?? [])));
}
