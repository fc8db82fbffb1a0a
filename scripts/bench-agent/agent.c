/* The fastest possible agent: records its start and end, answers in Claude Code's stream format, changes one
   file. What is left to measure is ralph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void note(const char *what) {
  struct timespec now;
  const char *path = getenv("BENCH_LOG");
  clock_gettime(CLOCK_REALTIME, &now);
  FILE *log = path ? fopen(path, "a") : NULL;
  if (!log) return;
  fprintf(log, "%s %lld.%09ld\n", what, (long long)now.tv_sec, now.tv_nsec);
  fclose(log);
}

/* Text, the use of a tool and its result in turn, as an agent that works prints them: each is journalled. */
static void mixed(long i, const char *session, const char *result) {
  if (i % 3 == 0)
    printf("{\"type\":\"assistant\",\"message\":{\"id\":\"m%ld\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"Step %ld: the parser drops the last line of a file without an end; a test for it comes first.\"}],\"usage\":{\"input_tokens\":10,\"output_tokens\":2}},\"session_id\":\"%s\"}\n", i, i, session);
  else if (i % 3 == 1)
    printf("{\"type\":\"assistant\",\"message\":{\"id\":\"m%ld\",\"model\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t%ld\",\"name\":\"Bash\",\"input\":{\"command\":\"sed -n %ld,40p src/parser.ts\"}}],\"usage\":{\"input_tokens\":10,\"output_tokens\":2}},\"session_id\":\"%s\"}\n", i - 1, i, i, session);
  else
    printf("{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"content\":\"%s\",\"tool_use_id\":\"t%ld\"}]},\"session_id\":\"%s\"}\n", result + (i % 5) * 1000, i - 1, session);
}

/* A line of code, escaped. */
static const char LINE[] = "  const found = lines.map((line) => parse(line)).filter((one) => one !== null);\\n";

/* Such lines, of 6 kB. */
static const char *result_text(void) {
  static char text[6001];
  for (size_t at = 0; at + strlen(LINE) < sizeof text; at += strlen(LINE)) memcpy(text + at, LINE, strlen(LINE));
  return text;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--version")) { puts("2.1.197 (Claude Code)"); return 0; }
  note("start");
  /* No agent ends at once: what ralph does while one works is no part of a gap. */
  const char *work = getenv("BENCH_WORK_MS");
  struct timespec pause = {0, work ? atol(work) * 1000000L : 0};
  nanosleep(&pause, NULL);
  char session[64] = "00000000-0000-4000-8000-000000000000";
  for (int i = 1; i + 1 < argc; i++)
    if (!strcmp(argv[i], "--session-id") || !strcmp(argv[i], "--resume")) snprintf(session, sizeof session, "%s", argv[i + 1]);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  FILE *file = fopen("changed.txt", "w");
  if (file) { fprintf(file, "%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec); fclose(file); }
  printf("{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"%s\",\"model\":\"m\"}\n", session);
  const char *events = getenv("BENCH_EVENTS"), *bytes = getenv("BENCH_RESULT_BYTES");
  long n = events ? atol(events) : 0, size = bytes ? atol(bytes) : 0;
  char *content = malloc(size + 1);
  /* Whole lines: an escape is not cut in two. */
  long filled = 0;
  for (; filled + (long)strlen(LINE) <= size; filled += strlen(LINE)) memcpy(content + filled, LINE, strlen(LINE));
  memset(content + filled, ' ', size - filled);
  content[size] = 0;
  for (long i = 0; i < n; i++) {
    if (getenv("BENCH_MIX")) mixed(i, session, result_text());
    else if (size) printf("{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"content\":\"%s\",\"tool_use_id\":\"t%ld\"}]},\"session_id\":\"%s\"}\n", content, i, session);
    /* An agent's text block has some hundred deltas. */
    else if (i % 500 == 0) printf("{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}},\"session_id\":\"%s\"}\n", session);
    else printf("{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"word %ld \"}},\"session_id\":\"%s\"}\n", i, session);
  }
  printf("{\"type\":\"assistant\",\"message\":{\"id\":\"m1\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"On it.\"}],\"usage\":{\"input_tokens\":10,\"output_tokens\":2}},\"session_id\":\"%s\"}\n", session);
  printf("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"On it.\",\"session_id\":\"%s\",\"num_turns\":1,\"duration_ms\":1,\"total_cost_usd\":0.001,\"usage\":{\"input_tokens\":10,\"output_tokens\":2},\"permission_denials\":[]}\n", session);
  fflush(stdout);
  note("end");
  return 0;
}
