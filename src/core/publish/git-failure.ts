/** Why git failed with a remote, by its words in English. */

/**
 * `passing`: the network, worth another try. `moved`: somebody else changed what was to be changed, so look again. Everything else stays as
 * it is until a person does something.
 */
export type GitFailure = "passing" | "moved" | "permanent";

/** Looked for in this order: a server that refuses a login hangs up, too. */
const WORDS: readonly (readonly [RegExp, GitFailure])[] = [
  [
    /authentication failed|permission denied|could not read (?:username|password)|repository not found|access denied|not authorized|does not appear to be a git repository|does not exist|host key verification failed|(?:error|returned error|http)[: ]+40[134]|no space left|protected branch|pre-receive hook declined|hook declined|couldn't find remote ref/i,
    "permanent",
  ],
  [/non-fast-forward|fetch first|stale info|cannot lock ref|reference already exists|already exists/i, "moved"],
  [
    /could not resolve host|no such host|i\/o timeout|connection (?:timed out|refused|reset|closed)|operation timed out|network is unreachable|no route to host|host is down|closed by remote host|early eof|hung up u(?:nexpectedly|pon initial contact)|internal server error|rpc failed|temporary failure|(?:error|http)[: ]+(?:408|429|5\d\d)|ssl_|gnutls|tls|operation too slow|unexpected disconnect|index-pack failed|unable to access/i,
    "passing",
  ],
];

/** What a failure with these words is. Unknown words are no reason to try again. */
export function gitFailure(said: string): GitFailure {
  return WORDS.find(([words]) => words.test(said))?.[1] ?? "permanent";
}

/** ms to wait before each further try. */
export const RETRY_AFTER_MS: readonly number[] = [2000, 8000, 30_000];
