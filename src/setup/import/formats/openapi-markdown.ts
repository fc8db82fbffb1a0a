import { asObject, asText } from "../../detect/files.ts";
import { sanitizeLine } from "../../sanitize-text.ts";
import { bodyOf, lineOf } from "./json-text.ts";

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];

/** Whether a JSON document describes an HTTP interface. */
export function isOpenApi(object: Record<string, unknown>): boolean {
  return (typeof object.openapi === "string" || typeof object.swagger === "string") && asObject(object.paths) !== null;
}

/** An HTTP interface as requirements: each operation with its parameters, its body and its responses. */
export function openApiMarkdown(object: Record<string, unknown>, name: string): string {
  const info = asObject(object.info) ?? {};
  const about = asText(info.description);
  const lines = [
    `# ${sanitizeLine(asText(info.title) ?? name, 200)}`,
    "",
    ...(about === null ? [] : [bodyOf(about), ""]),
    "## Endpoints",
    "",
  ];
  for (const [path, item] of Object.entries(asObject(object.paths) ?? {})) {
    const operations = asObject(item) ?? {};
    for (const method of METHODS) {
      const operation = asObject(operations[method]);
      if (operation !== null)
        lines.push(...operationLines(`${method.toUpperCase()} ${path}`, operation, operations.parameters));
    }
  }
  const schemas = asObject(asObject(object.components)?.schemas) ?? asObject(object.definitions) ?? {};
  if (Object.keys(schemas).length > 0) {
    lines.push("## Appendix: schemas", "");
    for (const [schema, value] of Object.entries(schemas))
      lines.push(`### ${sanitizeLine(schema, 100)}`, "", "```json", JSON.stringify(value, null, 2), "```", "");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function operationLines(name: string, operation: Record<string, unknown>, shared: unknown): string[] {
  const [summary, about] = [asText(operation.summary), asText(operation.description)];
  const words = sanitizeLine(`${name}${summary === null ? "" : `: ${summary}`}`, 200);
  const parameters = [shared, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  const body = asObject(operation.requestBody);
  return [
    `### ${operation.deprecated === true ? `~~${words}~~` : words}`,
    "",
    ...(about === null ? [] : [bodyOf(about), ""]),
    ...parameters.map((one) => `- Parameter ${parameterText(asObject(one) ?? {})}`),
    ...(body === null ? [] : [`- Body: ${bodyText(body)}`]),
    ...Object.entries(asObject(operation.responses) ?? {}).map(
      ([code, one]) => `- Answers ${code}: ${answerText(asObject(one) ?? {})}`,
    ),
    "",
  ];
}

function parameterText(parameter: Record<string, unknown>): string {
  if (typeof parameter.$ref === "string") return nameOfReference(parameter.$ref);
  const about = asText(parameter.description);
  return sanitizeLine(
    `\`${parameter.name}\` in ${parameter.in}${parameter.required === true ? ", required" : ""}${about === null ? "" : `: ${about}`}`,
    300,
  );
}

function bodyText(body: Record<string, unknown>): string {
  return [asText(body.description) ?? "", schemasOf(body)].filter((part) => part !== "").join(" ") || lineOf(body);
}

function answerText(answer: Record<string, unknown>): string {
  if (typeof answer.$ref === "string") return nameOfReference(answer.$ref);
  return [sanitizeLine(asText(answer.description) ?? "", 200), schemasOf(answer)]
    .filter((part) => part !== "")
    .join(" ");
}

/** `application/json (User)` for each content type. */
function schemasOf(value: Record<string, unknown>): string {
  return Object.entries(asObject(value.content) ?? {})
    .map(([type, content]) => {
      const schema = asObject(asObject(content)?.schema) ?? {};
      const reference = asText(schema.$ref) ?? asText(asObject(schema.items)?.$ref);
      const named =
        reference === null ? "" : ` (${schema.items === undefined ? "" : "list of "}${nameOfReference(reference)})`;
      return `${type}${named}`;
    })
    .join(", ");
}

function nameOfReference(reference: string): string {
  return sanitizeLine(reference.split("/").at(-1) ?? reference, 100);
}
