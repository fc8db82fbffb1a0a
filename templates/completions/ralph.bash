# Completions of ralph for bash 3.2 and newer.
_ralph() {
  local word value says current='' count=0
  local before=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]/#\~/$HOME}
  local -a words=()
  # Bash splits words such as --flag=value and 18:00 at = and :. This joins them again.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((count > 0)) && [[ $word == [=:] || ${words[count - 1]} == *[=:] ]]; then
      words[count - 1]+=$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done
  if ((count > 0)); then
    current=${words[count - 1]}
    unset "words[$((count - 1))]"
  fi
  # Only the text before the cursor counts.
  while [[ $before != *"$current" ]]; do current=${current%?}; done
  local part=${current#--*=}
  # Bash replaces only the text after the last = or :.
  local kept=${part%"${part##*[=:]}"}
  # An alias cannot be run as a program.
  type -P "$program" >/dev/null || program=ralph
  local has_compopt=false tilde='~'
  type compopt >/dev/null 2>&1 && has_compopt=true
  COMPREPLY=()
  while IFS=$'\t' read -r value says; do
    case $value in
      '') ;;
      :files | :folders)
        local how=-f
        [[ $value == :folders ]] && how=-d
        while IFS= read -r value; do
          value=${value#"$kept"}
          # Bash 3.2 cannot be asked to quote.
          if ! $has_compopt && [[ $part != [\"\']* ]]; then
            printf -v value %q "$value"
            value=${value/#\\~/$tilde}
          fi
          COMPREPLY+=("$value")
        done < <(compgen "$how" -- "$part")
        $has_compopt && compopt -o filenames
        ;;
      *)
        [[ $value == --*=* ]] && value=${value#*=}
        value=${value#"$kept"}
        # A name from the project may hold text that bash would run.
        printf -v value %q "$value"
        COMPREPLY+=("$value")
        ;;
    esac
    # Typed words still have their shell quotes.
  done < <("$program" __complete "=${current//[\\\"\']/}" ${words[@]+"${words[@]//[\\\"\']/}"} 2>/dev/null)
}
complete -F _ralph ralph
