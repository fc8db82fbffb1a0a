import type { ErrorClass } from "../../driver.ts";

/**
 * Wordings of one class. `says` are statements that an agent's CLI prints by itself, `words` may also stand in what the agent
 * writes: they count only within an error.
 */
export type ErrorRow = {
  class: ErrorClass;
  says?: readonly RegExp[];
  words?: readonly RegExp[];
  /** Not if the text says this too. */
  unless?: RegExp;
  /** It may pass by itself: the call is made once more before the error counts as lasting. */
  passing?: true;
};

/** What the owner of an account lets it spend: told with the status of a bad request. */
const OWN_LIMIT = /\breached your specified\b[\w\s-]{0,40}\busage limits?\b/i;

/**
 * The plan's or account's limit: waiting for its reset helps. Without apostrophes, since some CLIs print typographic ones.
 */
export const USAGE_LIMIT: readonly RegExp[] = [
  OWN_LIMIT,
  /\b(?:hit|reached|exceeded) your (?:[\w.'’-]{1,20} ){0,3}(?:limits?|quota)\b/i,
  /\busage[ _]limit (?:has been |was |is )?(?:reached|exceeded|hit)\b|\busage_limit_reached\b/i,
  /\b(?:\d{1,2}-hour|five-hour|hourly|daily|weekly|monthly|session|opus|sonnet) (?:usage )?limit (?:has been |was |is )?(?:reached|exceeded|hit)\b/i,
  /\blimit reached\|\d{10}/i,
  /^\W{0,5}limit reached\b.{0,5}\bresets\b/im,
  // A workspace's plan is spent, which resets; Codex says the same of one that has only credits, and waiting costs nothing there.
  /\bworkspace is out of credits\b/i,
  /\bspend limit (?:has been |was |is )?(?:reached|exceeded)\b|\busage credits ran out\b|\busage is paused for your organization\b/i,
  /\bout of (?:extra )?usage\b|\bout of codex messages\b|\bexceeded your copilot token usage\b/i,
  /\bquota[ _](?:exceeded|exhausted)\b|\binsufficient_quota\b|\bhave no quota\b|\bpremium requests? (?:allowance|limit|quota)\b/i,
  /\bfree usage exceeded\b|\bFreeUsageLimitError\b|\bGoUsageLimitError\b/i,
];

/** Too many requests in a short time. The number of a line, as in a crash's stack, is no status. */
export const RATE_LIMIT: readonly RegExp[] = [
  /\brate[ _-]?limit(?:s|ed|ing)?\b/i,
  /\btoo many requests\b/i,
  /(?<!\bline |\.\w{1,5}:|\.\w{1,5}:\d{1,6}:)\b429\b(?!:\d)/i,
  /\bRESOURCE_EXHAUSTED\b|\[resource_exhausted\]|\bthrottl(?:ed|ing)(?:Exception)?\b/i,
];

/** More specific than a limit, or than the number beside them. In the order of the search. */
export const SPECIFIC: readonly ErrorRow[] = [
  { class: "limit", words: [OWN_LIMIT] },
  {
    class: "config",
    words: [/\bupdate to the latest version\b|\brequires a newer version of\b|\bneeds an update\b/i],
  },
  {
    class: "billing",
    says: [
      /\bcredit balance (?:is )?too low\b/i,
      /\binsufficient (?:credits?|balance|funds|quota)\b/i,
      /\byou are out of credits\b|\bno payment method\b|\bhit your spend cap\b/i,
      /\brun out of your (?:included )?AI credits\b|\breached your additional usage limit\b/i,
    ],
    words: [/\bpayment required\b|\bbilling_not_configured\b|\bbilling[ _](?:hard[ _]limit|error)\b|\bCreditsError\b/i],
  },
  {
    // What an owner does not let an account or a model spend: no time brings it back.
    class: "billing",
    says: [
      /\bseat type doesn.t include (?:extra )?usage\b|\busage allocation has been disabled\b|\bgroup.s usage limit is set to \$0/i,
    ],
    words: [/\brequires usage credits\b|\bservice is disabled for your org\b/i],
  },
  {
    // A plan without the agent, not one that is spent for now and could be a larger one.
    class: "billing",
    says: [/\bupgrade to plus\b/i],
    unless: /\b(?:hit|reached) your\b|\bout of codex messages\b|\btry again\b/i,
  },
  {
    // A spent quota is a bill to pay, unless it says when it comes back.
    class: "billing",
    says: [/\bexceeded your current quota\b|\bquota exceeded\. (?:check|upgrade)\b|\byou have no quota\b/i],
    words: [
      /\binsufficient_quota\b|\bquota_exceeded\b/i,
      // What the owner of a key or a team lets it spend, told with the status of a login or of a bad request.
      /\bkey limit exceeded\b|(?<!\b(?:retry|thinking|time|token) )\bbudget has been exceeded\b|\bExceededBudget\b|\bBudgetExceededError\b|\bbudget_exceeded\b/i,
    ],
    unless: /\b(?:resets?|try again|retry (?:in|after))\b/i,
  },
  {
    class: "session",
    says: [
      /\bno conversation found with session id\b|\bsession id \S{1,80} is already in use\b/i,
      /\bno rollout found for thread id\b|\bsession not found\b|\bno session(?:, task,)? or (?:name|task) matched\b/i,
      /\bsession file is corrupt(?:ed)?\b/i,
    ],
    words: [
      /\brequires a valid session ID\b/i,
      // What a loss of power leaves of a conversation.
      /\brollout\b.{0,300}\bis empty\b/i,
    ],
  },
  {
    class: "context",
    says: [
      /\bprompt is too long\b|\bprompt as too long\b|\bconversation (?:is )?too long\b/i,
      /\b(?:prompt|input) token count\b.{0,30}\bexceeds\b|\bran out of room in the model.s context window\b/i,
      // In a short conversation the plan's own window is enough.
      /\b(?:extra usage|usage credits) (?:is |are )?required for (?:1M context|long context requests)\b/i,
      // Too dear rather than too long: a new one has a limit of its own.
      /\breached the spending limit for this session\b/i,
      /\binput exceeds the context window\b|\brequest (?:is )?too large\b|\brequest exceeds the maximum size\b/i,
    ],
    words: [
      /\bprompt_too_long\b|\bContextOverflowError\b|\bcontext_length_exceeded\b|\bmodel_max_prompt_tokens_exceeded\b/i,
      /\bmaximum context length\b|\bexceeds? (?:the )?(?:context|maximum) (?:window|length|limit)\b|\brequest_too_large\b|\brequest entity too large\b/i,
    ],
  },
  {
    class: "model",
    says: [
      /\b(?:there.s an )?issue with the selected model\b|\bnamed models unavailable\b|\bcannot use this model\b/i,
      /\bmodel\b.{1,80}\bis not (?:supported|available)\b|\bno (?:supported )?model available\b/i,
      /\bis not available with the [\w ]{1,30} plan\b/i,
    ],
    words: [
      /\b(?:unknown|unsupported|invalid) model\b|\bmodel(?: \S{1,80})? not found\b|\bmodel_not_(?:found|supported)\b|\bProviderModelNotFoundError\b/i,
      /\bmodel\b.{1,80}\b(?:does not exist|do not have access)\b|\brequested model is not supported\b|\bproviders require an explicit model\b/i,
      /"?not_found_error"?.{0,60}\bmodel:|^model: \S{1,80}$/im,
    ],
  },
  {
    class: "auth",
    says: [
      /\b(?:invalid|incorrect|missing) (?:x-)?api[ -]key\b|\bapi key (?:not valid|expired)\b|\bnot (?:logged|signed) in\b|\bplease run ['"`]?(?:\/login|[\w-]{1,20} login)\b/i,
      /\bno authentication information\b|\bauthentication required\b|\bfailed to authenticate\b(?!.{0,200}could not be refreshed)/i,
      /\borganization has (?:been )?disabled\b|\bbelongs to a disabled organization\b|\baccess denied by copilot policy\b|\bnot authorized to use this\b/i,
    ],
    words: [
      /\bauthentication (?:failed|error)\b|\bauthentication_(?:failed|error)\b|\boauth_org_not_allowed\b|\bProviderAuthError\b/i,
      /\boauth token\b.{0,40}\b(?:expired|revoked|invalid)\b|\bpermission_error\b|\bERROR_NOT_LOGGED_IN\b|\bAPI_KEY_INVALID\b|\binvalid authentication credentials\b/i,
    ],
  },
  {
    // Two processes that share a login refresh it in turns; the next one may find it refreshed.
    class: "auth",
    passing: true,
    says: [
      /\b(?:access token|token|session)\b.{0,40}\bcould not be refreshed\b|\btoken refresh failed\b|\bfailed to refresh token\b/i,
    ],
    words: [/\binvalid_grant\b|\brefresh_token_(?:reused|expired)\b/i],
  },
];

/** What the wording leaves to say if no limit and nothing specific was found. In the order of the search. */
export const GENERAL: readonly ErrorRow[] = [
  {
    class: "config",
    words: [
      /\b(?:unknown|invalid) option\b|\bunrecognized flag\b|\bunexpected argument\b|\binvalid command format\b|\bis invalid\. allowed choices\b/i,
      /\bcannot be used with root\b|\brequires --verbose\b|\bnot inside a trusted directory\b|\bworkspace trust required\b/i,
      /^error loading config(?:uration)?\b|^(?:error: )?model provider\b.{1,60}\bnot found\b/im,
      /\binvalid value (?:for flag\b|.{1,60} for ['"]?--)/i,
      /\bmissing environment variable\b|\binput must be provided\b|\bConfig(?:Invalid|Json)Error\b/i,
    ],
  },
  {
    class: "auth",
    passing: true,
    words: [/\bunauthorized\b|\bforbidden\b|\[(?:unauthenticated|permission_denied)\]/i],
  },
  {
    class: "offline",
    words: [
      /\bENOTFOUND\b|\bEAI_AGAIN\b|\bENETUNREACH\b|\bENETDOWN\b|\bEHOSTUNREACH\b|\bFailedToOpenSocket\b/i,
      /\bgetaddrinfo\b|\bcould not resolve host\b|\bfailed to lookup address\b|\bdns error\b|\bname resolution\b/i,
      /\bunable to connect to API\. Check your internet connection\b|\bnetwork is unreachable\b|\bwaiting for network\b|\bno (?:internet|network) connection\b|\bNo route to host\b/i,
    ],
  },
  {
    class: "infrastructure",
    words: [
      /\boverloaded\b|\bhigh demand\b|\bat capacity\b|\bcapacity is unavailable\b|\binternal server error\b|\bbad gateway\b|\bservice unavailable\b|\bgateway time-?out\b/i,
      /\bECONNRESET\b|\bECONNREFUSED\b|\bConnectionRefused\b|\bETIMEDOUT\b|\bEPIPE\b|\bconnection (?:closed|refused|reset|error)\b|\bsocket hang up\b/i,
      /\bstream disconnected\b|\berror sending request\b|\bfetch failed\b|\bunable to connect\b|\bcould not connect\b|\b(?:request )?timed out\b/i,
      /\[(?:unavailable|internal|aborted|deadline_exceeded)\]/i,
    ],
  },
  {
    class: "request",
    words: [/\bcontext (?:window|length)\b/i, /\binvalid_request_error\b|\bbad request\b|\btool use concurrency\b/i],
  },
];
