import { leadingId } from "../../plan/requirement-id.ts";
import { boxText, idOfBox } from "../../plan/task.ts";
import { aboutTask, saysDone, statedUrgency, type Urgency } from "./urgency.ts";

/** The head of a table, and where in it the columns that mean something are; -1: nowhere. */
export type TableHead = Readonly<{
  cells: readonly string[];
  id: number;
  urgency: number;
  status: number;
  named: number;
  described: number;
}>;

type Row = { cells: readonly string[]; head: TableHead };
export type RowTask = { id: string | null; title: string; done: boolean; urgency: Urgency | null; details: string[] };

const ID =
  /^(?:id|#|nr\.?|no\.?|(?:issue )?key|ref(?:erence)?|(?:req(?:uirement)?|story|feature|task|use case)[ -]?(?:id|#|no\.?|nr\.?|key))$/i;
const NAMED =
  /^(?:(?:functional )?requirements?|features?|(?:user )?stor(?:y|ies)|tasks?|use cases?|capabilit(?:y|ies)|work items?)$/i;
const DESCRIBED = /^(?:description|title|name|summary|what|statement|details?)$/i;
const URGENCY = /^(?:prio(?:rity)?|moscow|importance|p)$/i;
const STATUS = /^(?:status|state|done\??|completed?\??)$/i;

/** Reads a table's head, once for all of its rows: a table may be as wide as it is long. */
export function tableHead(cells: readonly string[]): TableHead {
  const at = (pattern: RegExp) => cells.findIndex((cell) => pattern.test(cell));
  return { cells, id: at(ID), urgency: at(URGENCY), status: at(STATUS), named: at(NAMED), described: at(DESCRIBED) };
}

/**
 * The task in a table row: a row with an id, or a row in a table of features.
 * @param isList whether the table stands in a list of things to build
 */
export function rowTask({ cells, head }: Row, isList: boolean): RowTask | null {
  const { id: idAt, urgency: urgencyAt, status: statusAt, named: namedAt } = head;
  const idText = (idAt === -1 ? cells[0] : cells[idAt]) ?? "";
  const id = idOfCell(idText, { isColumn: idAt !== -1, isNamed: namedAt !== -1 });
  const isNamed = namedAt !== -1 && (isList || urgencyAt !== -1 || idAt !== -1);
  const titleAt = namedAt === -1 ? head.described : namedAt;
  if (id === null && !isNamed && !(idAt !== -1 && titleAt !== -1 && idText !== "")) return null;
  const fixed = [id === null ? idAt : Math.max(idAt, 0), urgencyAt, statusAt];
  const other = cells.findIndex((cell, index) => !fixed.includes(index) && cell !== "");
  const own = id === null ? null : leadingId(idText)?.rest;
  const from = titleAt === -1 || fixed.includes(titleAt) ? other : titleAt;
  const title = (own === null || own === undefined || own === "" ? null : own) ?? cells[from] ?? "";
  if (title === "" && id === null) return null;
  const isName = id === null && idAt !== -1 && /\p{L}/u.test(idText);
  return {
    id,
    title: title === "" ? idText : isName ? `${idText}: ${title}` : title,
    done: statusAt !== -1 && saysDone(cells[statusAt] ?? ""),
    urgency: urgencyAt === -1 ? null : statedUrgency(cells[urgencyAt] ?? ""),
    details: cells.flatMap((cell, index) =>
      cell === "" || index === from || fixed.includes(index) || cell === title || cell === idText
        ? []
        : [(head.cells[index] ?? "") === "" ? cell : `${head.cells[index]}: ${cell}`],
    ),
  };
}

function idOfCell(text: string, { isColumn, isNamed }: { isColumn: boolean; isNamed: boolean }): string | null {
  const found = leadingId(text);
  if (found !== null && (isColumn || found.rest === "" || found.setOff)) return found.id;
  if (/^\d{1,3}(?:\.\d{1,3}){1,4}$/.test(text)) return isColumn || isNamed ? text : null;
  // Any value in a column of ids is an id, if a plan's box can hold it and read it back.
  return isColumn && /^\S+\d$/.test(text) && idOfBox(boxText({ id: text, title: "x" })) === text ? text : null;
}

/** A row as a line of words. */
export function rowText({ cells }: Pick<Row, "cells">): string {
  return cells.filter((cell) => cell !== "").join(" | ");
}

/** A table of one thing's properties describes it ("| Priority | High |"). */
export function aboutRow({ cells }: Pick<Row, "cells">): ReturnType<typeof aboutTask> {
  return cells.length === 2 ? aboutTask(`${cells[0]}: ${cells[1]}`) : null;
}
