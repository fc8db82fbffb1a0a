import { randomBytes } from "node:crypto";
import { MINUTE_MS, SECOND_MS } from "../../core/durations.ts";
import { isSame } from "./secrets.ts";

/** Letters that nobody takes for another one: 32, so that a byte makes none likelier. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 8;
const MOST_TRIES = 5;
export const CODE_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_MS = MINUTE_MS;

/** A code that lets one device in, once. */
export type Code = { code: string; control: boolean };
/** @property now the machine's clock, which somebody may set @property steady running time, which stands while the machine sleeps */
export type Clocks = { now(): number; steady(): number };
export type Attempt =
  | { kind: "right"; control: boolean }
  /** @property left tries that this code has @property pauseMs in which no code is looked at */
  | { kind: "wrong"; left: number; pauseMs: number }
  | { kind: "early"; pauseMs: number }
  | { kind: "none" };

export type Pairing = {
  /** Makes a code; the one before is worth nothing any more. */
  open(control: boolean): Code;
  /** @param typed as somebody typed it: small letters, spaces and hyphens do not matter */
  attempt(typed: string): Attempt;
};

/**
 * Codes by which a device is paired: 40 bits, five minutes, one use, five tries. After a wrong one nobody's is looked at for 1, 2,
 * 4 … 60 s, whatever address it comes from; the pause grows over codes until a right one came. The five minutes are over once
 * either clock says so; pauses are running time.
 */
export function createPairing({ now, steady }: Clocks): Pairing {
  let open: (Code & { tries: number; until: { wall: number; running: number } }) | null = null;
  let wrong = 0;
  let closedUntil = 0;
  return {
    open(control) {
      const until = { wall: now() + CODE_MS, running: steady() + CODE_MS };
      open = { code: newCode(), control, until, tries: 0 };
      return open;
    },
    attempt(typed) {
      const at = steady();
      if (at < closedUntil) return { kind: "early", pauseMs: closedUntil - at };
      if (open === null || at >= open.until.running || now() >= open.until.wall) return { kind: "none" };
      if (isSame(asTyped(typed), open.code)) {
        const { control } = open;
        open = null;
        wrong = 0;
        return { kind: "right", control };
      }
      const pauseMs = Math.min(SECOND_MS * 2 ** wrong, LONGEST_PAUSE_MS);
      wrong += 1;
      closedUntil = at + pauseMs;
      open.tries += 1;
      const left = MOST_TRIES - open.tries;
      if (left === 0) open = null;
      return { kind: "wrong", left, pauseMs };
    },
  };
}

function newCode(): string {
  return [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

function asTyped(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}
