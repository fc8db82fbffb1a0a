#compdef ralph
# Completions of ralph for zsh: `eval` this, or put it as _ralph into a folder of $fpath.
_ralph() {
  # Without the quotes typed around them.
  local value says current=${(Q)PREFIX} program=${${(Q)words[1]}/#\~\//$HOME/}
  local -a offers before=("${(@Q)words[2,CURRENT-1]}")
  while IFS=$'\t' read -r value says; do
    case $value in
      '') ;;
      :files) compset -P '--*='; _files; return ;;
      :folders) compset -P '--*='; _files -/; return ;;
      *) offers+=("${value//:/\\:}${says:+:$says}") ;;
    esac
  done < <("$program" __complete "=$current" "${before[@]}" 2>/dev/null)
  (( ${#offers} )) && _describe ralph offers
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _ralph "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _ralph ralph
fi
