/** Where the way to the network stands inside a sandbox. */
export const PROXY_SOCKET = "/run/ralph/proxy";
/** The port of the proxy inside. */
export const PROXY_PORT = 3128;

/** A shell's words that open the port of the proxy inside, then become the agent. */
export const WITH_PROXY = `socat TCP-LISTEN:${PROXY_PORT},bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:${PROXY_SOCKET} </dev/null >/dev/null 2>&1 &
n=0
while [ $n -lt 200 ] && ! socat -u /dev/null TCP:127.0.0.1:${PROXY_PORT} 2>/dev/null; do n=$((n+1)); sleep 0.01; done
exec "$@"`;
