/** A shell script that stands in for Claude Code: it does what `probe.sh` in the project says. */
export const AGENT = `#!/bin/sh
[ "$1" = --version ] && { echo "2.1.197 (Claude Code)"; exit 0; }
cat >/dev/null
sh ./probe.sh >probe.out 2>&1
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"3f0e8f2e-9d0f-4a52-a0a5-7a7e0e0f3d11"}'
`;
