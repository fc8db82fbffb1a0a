# Completions of ralph for bash 3.2 and newer.
_ralph() {
  local word value says current='' count=0
  local -a words=()
  # Bash takes --flag=value apart at the sign; it is put together again.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((count > 0)) && [[ $word == '=' || ${words[count - 1]} == -*= ]]; then
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
  COMPREPLY=()
  while IFS=$'\t' read -r value says; do
    case $value in
      '') ;;
      :files | :folders)
        local how=-f
        [[ $value == :folders ]] && how=-d
        while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen "$how" -- "${current#--*=}")
        type compopt >/dev/null 2>&1 && compopt -o filenames
        ;;
      *)
        [[ $value == --*=* ]] && value=${value#*=}
        # A name of a project may hold what bash would run.
        printf -v value %q "$value"
        COMPREPLY+=("$value")
        ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete "=$current" ${words[@]+"${words[@]}"} 2>/dev/null)
}
complete -F _ralph ralph
