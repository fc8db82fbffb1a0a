#!/bin/sh
# Installs ralph for this user, without root: sh install.sh [uninstall] [--dir DIR]
# The folder is ~/.local/bin, or RALPH_INSTALL_DIR, or --dir. RALPH_UPDATE_URL names a mirror of the release.
# By its own name zsh splits no words and ends at a pattern that matches nothing.
if [ -n "${ZSH_VERSION:-}" ]; then emulate sh; fi
set -eu

base=${RALPH_UPDATE_URL:-@RALPH_BASE@}
public_key='@RALPH_PUBLIC_KEY@'
folder=${RALPH_INSTALL_DIR:-${HOME:+$HOME/.local/bin}}
# Links called ralph-NAME, under which ralph is `ralph NAME`: programs of the bash original.
linked='setup enable import monitor'

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install: %s\n' "$1" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

main() {
  uninstall=no
  while [ $# -gt 0 ]; do
    case $1 in
      --dir)
        [ $# -gt 1 ] || fail '--dir needs a folder'
        folder=$2
        shift
        ;;
      uninstall | --uninstall) uninstall=yes ;;
      -h | --help)
        say 'sh install.sh [uninstall] [--dir DIR]'
        exit 0
        ;;
      *) fail "unknown word $1: use uninstall or --dir DIR" ;;
    esac
    shift
  done
  case $folder in
    '') fail 'HOME is not set: name a folder with --dir' ;;
    /*) ;;
    *) folder=$PWD/$folder ;;
  esac
  folder=${folder%/}
  if [ "$uninstall" = yes ]; then remove; else install; fi
}

# Every ralph program contains the name of this variable.
is_ralph() { LC_ALL=C grep -q RALPH_UPDATE_URL "$1" 2>/dev/null; }

remove() {
  program=$folder/ralph
  [ -e "$program" ] || fail "there is no $program"
  is_ralph "$program" || fail "$program is another program of that name: it was not removed"
  for name in $linked; do
    if is_our_link "$program-$name"; then drop "$program-$name"; fi
  done
  drop "$program"
  for aside in "$program".old*; do
    if [ -e "$aside" ]; then say "stays: $aside, the other program that was called ralph"; fi
  done
  if [ -n "${HOME:-}" ]; then
    if [ -d "$(cache_folder)" ]; then drop "$(cache_folder)"; fi
    for kept in "$(config_folder)" "$HOME/.ralph"; do
      if [ -d "$kept" ]; then say "stays: $kept, drivers, templates and the like"; fi
    done
  fi
  say 'stays: .ralph in each project, with its settings and runs'
}

# shellcheck disable=SC3013
is_our_link() { [ -L "$1" ] && [ "$1" -ef "$folder/ralph" ]; }

link_names() {
  for name in $linked; do
    link=$folder/ralph-$name
    if is_our_link "$link"; then continue; fi
    if [ -e "$link" ] || [ -L "$link" ]; then
      say "stays: $link, another program of that name; ralph's own is: ralph $name"
    else
      ln -s ralph "$link" || say "$link could not be made: type ralph $name"
    fi
  done
}

drop() {
  rm -rf "$1" || fail "$1 can't be removed"
  say "removed $1"
}

config_folder() {
  case $(uname -s) in
    Darwin) say "$HOME/Library/Application Support/ralph" ;;
    *) xdg_folder "${XDG_CONFIG_HOME:-}" .config ;;
  esac
}

cache_folder() {
  case $(uname -s) in
    Darwin) say "$HOME/Library/Caches/ralph" ;;
    *) xdg_folder "${XDG_CACHE_HOME:-}" .cache ;;
  esac
}

# A relative path counts as none.
xdg_folder() {
  case $1 in /*) say "$1/ralph" ;; *) say "$HOME/$2/ralph" ;; esac
}

install() {
  check_address
  have gzip || fail 'gzip is needed'
  target=$(find_target)
  mkdir -p "$folder" || fail "$folder can't be made: name another one with --dir"
  [ -w "$folder" ] || fail "$folder can't be written to: name another one with --dir"
  [ ! -d "$folder/ralph" ] || fail "$folder/ralph is a folder: name another place with --dir"
  scratch=$(mktemp -d)
  # Beside its destination, so that the last step is an atomic rename. An update removes leftovers with this name.
  fresh=$folder/.ralph-$$.new
  trap 'rm -rf "$scratch"; rm -f "$fresh"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  asset=ralph-$target.gz

  say "downloading $asset"
  download SHA256SUMS
  awk 'NF != 2 || length($1) != 64 { exit 1 }' "$scratch/SHA256SUMS" ||
    fail "$base/SHA256SUMS is no list of checksums: a proxy may have answered in its place"
  check_signature
  download "$asset"
  check_sum "$asset"

  gzip -dc "$scratch/$asset" >"$fresh" || fail "$folder is full, or the download is broken"
  chmod 755 "$fresh"
  version=$("$fresh" --version) || fail "the program for $target does not run here$(musl_hint)"
  if [ -e "$folder/ralph" ] && ! is_ralph "$folder/ralph"; then
    set_aside
  fi
  mv -f "$fresh" "$folder/ralph"
  link_names
  say "ralph $version is in $folder/ralph"
  look_at_path
  say 'see it work: ralph demo'
}

# What was put aside before may be its user's only copy.
set_aside() {
  aside=$folder/ralph.old
  nth=1
  while [ -e "$aside" ] || [ -L "$aside" ]; do
    nth=$((nth + 1))
    aside=$folder/ralph.old$nth
  done
  mv -f "$folder/ralph" "$aside"
  say "the other program that was called ralph is now $aside"
}

musl_hint() {
  case $target in *-musl) say ' (it needs libstdc++ and libgcc: apk add libstdc++ libgcc)' ;; esac
}

# Only https is safe on a network; loopback addresses need no protection.
check_address() {
  case $base in
    https://*) ;;
    http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]* | 'http://[::1]'*) ;;
    '') fail 'this script does not know where the releases are: set RALPH_UPDATE_URL' ;;
    *) fail "$base is refused: only https is safe" ;;
  esac
  base=${base%/}
}

find_target() {
  system=$(uname -s)
  processor=$(uname -m)
  case $system in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) fail "there is no program for $system (on Windows use install.ps1)" ;;
  esac
  case $processor in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) fail "there is no program for $processor processors" ;;
  esac
  # Under Rosetta a shell reports x86_64 on an Apple silicon Mac.
  if [ "$os" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then cpu=arm64; fi
  libc=
  if [ "$os" = linux ] && is_musl; then libc=-musl; fi
  say "$os-$cpu$libc"
}

# A system may have both C libraries; its own programs decide.
is_musl() {
  case $(ldd --version 2>&1 || true) in
    *musl*) return 0 ;;
    *GLIBC* | *GNU* | *glibc*) return 1 ;;
  esac
  for loader in /lib/ld-musl-*; do
    [ -e "$loader" ] && return 0
  done
  return 1
}

download() {
  if have curl; then
    case $base in
      https:*) curl -fsSL --proto '=https' --tlsv1.2 -o "$scratch/$1" "$base/$1" ;;
      *) curl -fsSL -o "$scratch/$1" "$base/$1" ;;
    esac || fail "$base/$1 could not be downloaded"
  elif have wget; then
    wget -q -O "$scratch/$1" "$base/$1" || fail "$base/$1 could not be downloaded"
  else
    fail 'curl or wget is needed'
  fi
}

check_sum() {
  wanted=$(awk -v file="$1" '$2 == file { print $1 }' "$scratch/SHA256SUMS")
  [ -n "$wanted" ] || fail "the release has no $1"
  if have sha256sum; then
    found=$(sha256sum "$scratch/$1")
  elif have shasum; then
    found=$(shasum -a 256 "$scratch/$1")
  elif have openssl; then
    found=$(openssl dgst -sha256 -r "$scratch/$1")
  else
    fail 'sha256sum, shasum or openssl is needed to check what was downloaded: nothing was installed'
  fi
  [ "${found%% *}" = "$wanted" ] || fail "$1 does not have the checksum of the release: nothing was installed"
}

check_signature() {
  [ -n "$public_key" ] || return 0
  # Ed25519 of a whole file needs OpenSSL 3; LibreSSL does not support it.
  case $(openssl version 2>/dev/null || true) in
    'OpenSSL '[3-9]*) ;;
    *)
      say 'no OpenSSL 3 to check the signature with: not checked'
      return 0
      ;;
  esac
  download SHA256SUMS.sig
  printf '%s\n' "$public_key" >"$scratch/key.pem"
  openssl pkeyutl -verify -pubin -inkey "$scratch/key.pem" -rawin -in "$scratch/SHA256SUMS" \
    -sigfile "$scratch/SHA256SUMS.sig" >/dev/null 2>&1 || fail 'the signature of the release is wrong: nothing was installed'
  say 'the signature of the release is right'
}

look_at_path() {
  first=$(command -v ralph || true)
  # PATH may spell the folder differently, so compare the files. Every shell in use has -ef, and POSIX since 2024.
  # shellcheck disable=SC3013
  if [ -n "$first" ] && [ "$first" -ef "$folder/ralph" ]; then return 0; fi
  case :$PATH: in
    *":$folder:"*)
      say "another ralph comes first on your PATH: $first"
      return 0
      ;;
  esac
  case ${SHELL:-} in
    */fish)
      say "$folder is not on your PATH. Add it, once:"
      printf '  fish_add_path "%s"\n' "$(escaped)"
      return 0
      ;;
    */zsh) file=.zshrc ;;
    # Terminals on macOS start login shells.
    */bash) case $target in darwin-*) file=.bash_profile ;; *) file=.bashrc ;; esac ;;
    *) file=.profile ;;
  esac
  say "$folder is not on your PATH. Add this line to ~/$file:"
  # shellcheck disable=SC2016
  printf '  export PATH="%s:$PATH"\n' "$(escaped)"
}

# The folder, escaped for double quotes.
escaped() { printf '%s\n' "$folder" | sed 's/[\\"$`]/\\&/g'; }

# Called at the end, so a truncated download runs nothing. Some shells treat an empty "$@" as an unset variable.
main ${1+"$@"}
