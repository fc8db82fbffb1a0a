# Sources a driver of the bash contract and calls its hooks. Arguments: the driver's file, the request, and its arguments.
# Output that hooks print for people goes to stderr. The answer on stdout is a list of fields: name, number of values, values,
# each word terminated by NUL. The last field is "end": without it, the driver failed. Runs under bash 3.2, the version of
# macOS.
exec 3>&1 1>&2

field() {
  local name=$1
  shift
  printf '%s\0' "$name" "$#" >&3
  if [ "$#" -gt 0 ]; then printf '%s\0' "$@" >&3; fi
}

has() { declare -F "$1" >/dev/null; }

# Reports the text of a hook that prints, if it exists.
printed() {
  if has "$2"; then field "$1" "$("${@:2}")"; fi
}

# Reports the exit status of a hook as yes or no, if it exists.
answered() {
  if ! has "$2"; then return; fi
  if "$2"; then field "$1" yes; else field "$1" no; fi
}

# Passes the driver's exported variables to the agent, except those that the shell sets itself.
exported() {
  local name
  for name in $(compgen -e); do
    case $name in
    _ | SHLVL | PWD | OLDPWD | BASHOPTS | SHELLOPTS) ;;
    *) field export "$name" "${!name}" ;;
    esac
  done
}

describe() {
  local hook missing=()
  for hook in driver_name driver_display_name driver_cli_binary driver_valid_tools driver_build_command; do
    has "$hook" || missing+=("$hook")
  done
  if [ "${#missing[@]}" -gt 0 ]; then
    field missing "${missing[@]}"
    return
  fi
  printed name driver_name
  printed display_name driver_display_name
  printed cli_binary driver_cli_binary
  driver_valid_tools
  field valid_tools "${VALID_TOOL_PATTERNS[@]}"
  answered tool_allowlist driver_supports_tool_allowlist
  answered sessions driver_supports_sessions
  answered live_output driver_supports_live_output
  printed stream_filter driver_stream_filter
  printed min_version driver_min_version
  for hook in driver_extract_session_id_from_output driver_fallback_session_id driver_check_available \
    driver_permission_denial_help; do
    if has "$hook"; then field has "$hook"; fi
  done
}

build() {
  local live=$1 status
  shift
  VALID_TOOL_PATTERNS=()
  driver_valid_tools
  CLAUDE_CMD_ARGS=()
  driver_build_command "$@"
  status=$?
  field status "$status"
  if [ "$status" -ne 0 ]; then return; fi
  field argv "${CLAUDE_CMD_ARGS[@]}"
  if [ "$live" = yes ]; then
    LIVE_CMD_ARGS=("${CLAUDE_CMD_ARGS[@]}")
    # If a driver cannot prepare the live form, the other form runs.
    if ! has driver_prepare_live_command || driver_prepare_live_command; then field live "${LIVE_CMD_ARGS[@]}"; fi
  fi
  exported
}

# The session id hooks expect the path of the output, which arrives on stdin.
session() {
  local hook=$1 file
  file=$(mktemp "${TMPDIR:-/tmp}/ralph-output.XXXXXX") || return
  cat >"$file"
  printed session_id "$hook" "$file"
  rm -f "$file"
}

driver=$1
wanted=$2
shift 2
# shellcheck disable=SC1090
source "$driver"
# The originals' loop continues after a failed command and treats unset variables as empty; so do these hooks.
set +eu

case $wanted in
describe) describe ;;
build) build "$@" ;;
session) session "$@" ;;
available) answered available driver_check_available ;;
help) printed help driver_permission_denial_help ;;
esac
field end
