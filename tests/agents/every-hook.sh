#!/usr/bin/env bash
# A driver that has every hook of the bash contract, for the CLI of tests/agents/own-cli.ts.

driver_name() {
  echo "every-hook"
}

driver_display_name() {
  echo "Every Hook"
}

driver_cli_binary() {
  echo "./tools/own-cli"
}

driver_valid_tools() {
  VALID_TOOL_PATTERNS=(
    "Read"
    "Bash"
    "Bash(git *)"
  )
}

driver_build_command() {
  local prompt_file="$1"
  local loop_context="$2"
  local session_id="$3"

  if [[ ! -f "$prompt_file" ]]; then
    echo "ERROR: Prompt file not found: $prompt_file" >&2
    return 1
  fi

  export OWN_CLI_TOKEN="exported by the driver"
  CLAUDE_CMD_ARGS=(
    "$(driver_cli_binary)"
    "run"
    "--prompt-file" "$prompt_file"
    "--format" "$CLAUDE_OUTPUT_FORMAT"
    "--mode" "$CLAUDE_PERMISSION_MODE"
    "--tools" "$CLAUDE_ALLOWED_TOOLS"
    "--empty" ""
    "--lines" "first
second"
    "--context" "$loop_context"
  )
  if [[ "$CLAUDE_USE_CONTINUE" == "true" && -n "$session_id" ]]; then
    CLAUDE_CMD_ARGS+=("--session" "$session_id")
  fi
  return 0
}

driver_supports_tool_allowlist() {
  return 0
}

driver_permission_denial_help() {
  echo "$DRIVER_DISPLAY_NAME was denied a tool."
  echo "See $RALPHRC_FILE."
}

driver_supports_sessions() {
  return 0
}

driver_supports_live_output() {
  return 0
}

driver_prepare_live_command() {
  LIVE_CMD_ARGS=("${CLAUDE_CMD_ARGS[@]}" "--jsonl")
}

driver_stream_filter() {
  echo 'if .kind == "say" then .text else empty end'
}

driver_extract_session_id_from_output() {
  sed -n 's/.*"conversation":"\([^"]*\)".*/\1/p' "$1" | head -n 1
}

driver_fallback_session_id() {
  "$(driver_cli_binary)" last-session
}

driver_min_version() {
  echo "2.0.0"
}

driver_check_available() {
  command -v "$(driver_cli_binary)" &>/dev/null
}
