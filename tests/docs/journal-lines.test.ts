/** The table of docs/interfaces.md ("Journal lines") has every event of the journal with each of its fields, and no other event. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync, type TSType, type TSTypeLiteral } from "oxc-parser";
import { root } from "../../scripts/lib/paths.ts";
import { INTERFACES, rowsOf, untoldIn } from "./journal-table.ts";

const EVENTS = join(root, "src/core/journal/event.ts");

/** The types of a file by their names, and where the imported ones are. */
function typesOf(file: string) {
  const types = new Map<string, TSType>();
  const imports = new Map<string, string>();
  for (const statement of parseSync(file, readFileSync(file, "utf8")).program.body) {
    if (statement.type === "ImportDeclaration")
      for (const { local } of statement.specifiers)
        imports.set(local.name, join(dirname(file), statement.source.value));
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type === "TSTypeAliasDeclaration") types.set(declared.id.name, declared.typeAnnotation);
  }
  return { types, imports };
}

/** The literals that a type is put together from; those of another type's part (`Omit<…>`) are told by the page in words. */
function literalsOf(type: TSType, file: string): TSTypeLiteral[] {
  if (type.type === "TSTypeLiteral") return [type];
  if (type.type === "TSParenthesizedType") return literalsOf(type.typeAnnotation, file);
  if (type.type === "TSIntersectionType") return type.types.flatMap((part) => literalsOf(part, file));
  if (type.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return [];
  const { types, imports } = typesOf(file);
  const here = types.get(type.typeName.name);
  if (here !== undefined) return literalsOf(here, file);
  const from = imports.get(type.typeName.name);
  const there = from === undefined ? undefined : typesOf(from).types.get(type.typeName.name);
  return from === undefined || there === undefined ? [] : literalsOf(there, from);
}

/** Every type of event with the names of its fields. */
function events(): Map<string, string[]> {
  const union = typesOf(EVENTS).types.get("EventBody");
  if (union?.type !== "TSUnionType") throw new Error("no union of events");
  return new Map(
    union.types.map((one) => {
      const members = literalsOf(one, EVENTS).flatMap(({ members }) => members);
      const named = members.flatMap((member) =>
        member.type === "TSPropertySignature" && member.key.type === "Identifier"
          ? [{ name: member.key.name, of: member.typeAnnotation?.typeAnnotation }]
          : [],
      );
      const of = named.find(({ name }) => name === "type")?.of;
      if (of?.type !== "TSLiteralType" || of.literal.type !== "Literal") throw new Error("an event without a type");
      return [String(of.literal.value), named.map(({ name }) => name).filter((name) => name !== "type")] as const;
    }),
  );
}

/** What the page lacks, and what it has too much. */
function faults(page: string): string[] {
  const [told, made] = [rowsOf(page), events()];
  const lacks = [...made].flatMap(([type, fields]) => {
    const row = told.get(type);
    if (row === undefined) return [`no row for ${type}`];
    return untoldIn(row, fields).map((field) => `${type} lacks ${field}`);
  });
  return [...lacks, ...[...told.keys()].filter((type) => !made.has(type)).map((type) => `there is no ${type}`)];
}

test("every event and each of its fields stand on the page, and no other event", () => {
  expect(faults(INTERFACES)).toEqual([]);
});

test("an event that the page lacks, a field that it lacks, and an event that is none are noticed", () => {
  expect(events().size).toBeGreaterThan(50);
  expect(faults(INTERFACES.replace("| bound_raised ", "| bound_lowered "))).toEqual([
    "no row for bound_raised",
    "there is no bound_lowered",
  ]);
  expect(faults(INTERFACES.replace("of_run, interrupted_iteration", "interrupted_iteration"))).toEqual([
    "run_recovered lacks of_run",
  ]);
});
