/** Names of variables that hold secrets. */
const SECRET =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|^(?:AWS|AZURE|GOOGLE|GCP|GH|GITHUB|GITLAB|NPM|PYPI|CARGO_REGISTR)[A-Z]*_|_(?:KEY|PAT|AUTH|DSN)$|(?:DATABASE|REDIS|MONGO\w*|POSTGRES\w*)_UR[IL]$/;

/** Ways to other programs of the user, and to folders that are not there inside. */
const WAY_OUT =
  /^(?:SSH_|GPG_|DBUS_|DOCKER_|PODMAN_|KUBE|XDG_RUNTIME_DIR$|XDG_SESSION|DISPLAY$|WAYLAND_|XAUTHORITY$|TMUX|STY$|VSCODE_|ELECTRON_|BASH_ENV$|ENV$|TMPDIR$|TMP$|TEMP$)/;

/** A proxy's address may hold a password; inside, the only proxy is the sandbox's. */
const PROXY = /^(?:HTTPS?|ALL|NO|FTP|RSYNC)_PROXY$/i;

/**
 * @param beginnings of the names of an agent's own variables
 * @param allowed SANDBOX_ENV: names, or beginnings that end in `*`
 * @returns whether a variable goes in by its name, even if it looks like a secret
 */
export function ownVariable(beginnings: readonly string[], allowed: readonly string[]): (name: string) => boolean {
  const wider = allowed.filter((one) => one.endsWith("*")).map((one) => one.slice(0, -1));
  return (name) => allowed.includes(name) || [...beginnings, ...wider].some((beginning) => name.startsWith(beginning));
}

/**
 * The variables that a sandboxed agent gets: without secrets but the agent's own, and without ways out.
 * @param isOwn of `ownVariable`
 * @param keepsProxy whether the agent reaches the network as ralph does
 */
export function sandboxEnv(
  env: Readonly<Record<string, string>>,
  isOwn: (name: string) => boolean,
  keepsProxy: boolean,
): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => {
    if (isOwn(name)) return true;
    return !SECRET.test(name.toUpperCase()) && !WAY_OUT.test(name) && (keepsProxy || !PROXY.test(name));
  });
  return { ...Object.fromEntries(kept), TMPDIR: "/tmp", IS_SANDBOX: "1" };
}
