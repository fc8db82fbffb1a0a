import type { ErrorClass } from "../../driver.ts";
import { stripAnsi } from "../text/plain-text.ts";
import { splitLines } from "../text/text-lines.ts";
import { clipCodePoints } from "../text/truncate.ts";
import type { UsageLimit } from "./analysis-types.ts";
import { formatLocalTime, resetTime } from "./reset-time.ts";

/** Error texts are short; of a longer one only the end is read, because the last error is there. */
const LONGEST_TEXT = 8000;
const MESSAGE_CHARS = 300;

/**
 * The plan's or account's limit: waiting for its reset helps. Wordings of the CLIs, recorded or published; without
 * apostrophes, since some print typographic ones.
 */
const USAGE_LIMIT: readonly RegExp[] = [
  /\b(?:hit|reached|exceeded) your (?:[\w-]{1,20} ){0,3}(?:limit|quota)\b/i,
  /\busage[ _]limit (?:has been |was |is )?(?:reached|exceeded|hit)\b|\busage_limit_reached\b/i,
  /\b(?:\d{1,2}-hour|five-hour|hourly|daily|weekly|monthly|session|opus|sonnet) (?:usage )?limit (?:has been |was |is )?(?:reached|exceeded|hit)\b/i,
  /\blimit reached\|\d{10}/i,
  /\bout of (?:extra )?usage\b/i,
  /\bexceeded your current quota\b|\binsufficient_quota\b|\bquota (?:exceeded|exhausted)\b|\bpremium requests? (?:allowance|limit|quota)\b/i,
];

/** Too many requests in a short time. */
const RATE_LIMIT: readonly RegExp[] = [
  /\brate[ _-]?limit(?:s|ed|ing)?\b/i,
  /\btoo many requests\b/i,
  /\b429\b/,
  /\bRESOURCE_EXHAUSTED\b|\bthrottl(?:ed|ing)\b/i,
];

/** Wordings by class, in the order of the search, after the limits. */
const CLASSES: readonly (readonly [ErrorClass, readonly RegExp[]])[] = [
  [
    "session",
    [
      /\bno conversation found with session id\b|\brequires a valid session id\b|\bsession id \S{1,80} is already in use\b/i,
      /\bno rollout found for thread id\b|\bsession not found\b|\bno session, task, or name matched\b/i,
    ],
  ],
  [
    "config",
    [
      /\b(?:unknown|invalid) option\b|\bunexpected argument\b|\binvalid command format\b|\bis invalid\. allowed choices\b/i,
      /\bcannot be used with root\b|\brequires --verbose\b|\bnot inside a trusted directory\b/i,
      /\bmissing environment variable\b|\bproviders require an explicit model\b|\binput must be provided\b/i,
      /\bissue with the selected model\b|\b(?:unknown|unsupported) model\b|\bmodel not found\b/i,
      /\bcredit balance is too low\b|\binsufficient credits\b|\b402 payment required\b/i,
    ],
  ],
  [
    "auth",
    [
      /\b(?:invalid|incorrect|missing) (?:x-)?api[ -]key\b|\bnot (?:logged|signed) in\b|\bplease run ['"`]?(?:\/login|[\w-]{1,20} login)\b/i,
      /\bauthentication (?:required|failed|error)\b|\bno authentication information\b|\bauthentication_(?:failed|error)\b/i,
      /\boauth token\b.{0,40}\b(?:expired|revoked|invalid)\b|\bunauthorized\b|\bforbidden\b|\bpermission_error\b/i,
      /\b(?:status|error|http|code|\()[ :]{0,3}(?:40[13])\b|\b40[13] (?:unauthorized|forbidden)\b/i,
    ],
  ],
  [
    "offline",
    [
      /\bENOTFOUND\b|\bEAI_AGAIN\b|\bENETUNREACH\b|\bENETDOWN\b|\bEHOSTUNREACH\b|\bFailedToOpenSocket\b/i,
      /\bgetaddrinfo\b|\bcould not resolve host\b|\bfailed to lookup address\b|\bdns error\b|\bname resolution\b/i,
      /\bnetwork is unreachable\b|\bwaiting for network\b|\bno (?:internet|network) connection\b|\bNo route to host\b/i,
    ],
  ],
  [
    "infrastructure",
    [
      /\boverloaded\b|\bhigh demand\b|\bat capacity\b|\binternal server error\b|\bbad gateway\b|\bservice unavailable\b|\bgateway time-?out\b/i,
      /\bECONNRESET\b|\bECONNREFUSED\b|\bConnectionRefused\b|\bETIMEDOUT\b|\bEPIPE\b|\bconnection (?:closed|refused|reset|error)\b|\bsocket hang up\b/i,
      /\bstream disconnected\b|\berror sending request\b|\bfetch failed\b|\bunable to connect\b|\bcould not connect\b|\b(?:request )?timed out\b/i,
      /\b(?:status|error|http|code|\()[ :]{0,3}(?:408|5\d\d)\b|\b(?:408|5\d\d) [A-Z]/i,
    ],
  ],
  [
    "request",
    [
      /\bprompt is too long\b|\bcontext (?:window|length)\b|\bprompt_too_long\b|\bContextOverflowError\b|\bprompt as too long\b/i,
      /\binvalid_request_error\b|\bbad request\b|\btool use concurrency\b/i,
      /\b(?:status|error|http|code|\()[ :]{0,3}4\d\d\b/i,
    ],
  ],
];

/**
 * The provider's limit in an error text; null if it mentions none. Only for the final error text, never for an answer
 * (product.md "Limited").
 * @param now epoch ms; null ignores times that depend on the clock
 * @param zone IANA name of the user's time zone, for clock times without one
 */
export function limitFromError(message: string, now: number | null, zone = "UTC"): UsageLimit | null {
  const text = tailOf(message);
  const isUsage = matches(USAGE_LIMIT, text);
  if (!isUsage && !matches(RATE_LIMIT, text)) return null;
  return {
    kind: isUsage ? "usage_limit" : "rate_limit",
    resets_at: resetTime(text, now, zone),
    message: humanizeResetTime(firstMatchingLine(text, isUsage ? USAGE_LIMIT : RATE_LIMIT), now, zone),
  };
}

/** The class of an error by its wording, for an error without structured data; null if the wording is unknown. */
export function classifyError(message: string): ErrorClass | null {
  const text = tailOf(message);
  if (matches(USAGE_LIMIT, text) || matches(RATE_LIMIT, text)) return "limit";
  return CLASSES.find(([, patterns]) => matches(patterns, text))?.[0] ?? null;
}

/** Old versions of Claude Code end the sentence with the reset time in seconds: `limit reached|1767225600`. */
const EPOCH_TAIL = /(?<=\blimit reached)\|(\d{10})(?:\d{3})?\b/i;

/**
 * Replaces a numeric time in a limit's message by local time.
 * @param now epoch ms, to leave out today's date; null if unknown
 */
export function humanizeResetTime(message: string, now: number | null, zone: string): string {
  return message.replace(EPOCH_TAIL, (_, seconds) => `, resets ${formatLocalTime(Number(seconds) * 1000, now, zone)}`);
}

function tailOf(message: string): string {
  return stripAnsi(message.slice(-LONGEST_TEXT));
}

function matches(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

function firstMatchingLine(text: string, patterns: readonly RegExp[]): string {
  const line = splitLines(text).find((one) => matches(patterns, one)) ?? text;
  return clipCodePoints(line.trim(), MESSAGE_CHARS);
}
