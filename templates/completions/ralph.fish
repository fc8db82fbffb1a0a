# Completions of ralph for fish.
function __ralph_complete
    set -l words (commandline -opc)
    # Without the quotes typed around it.
    set -l current (string unescape -- (commandline -ct))
    set -l program (string replace -r '^~(?=/)' -- "$HOME" $words[1])
    type -q -- $program; or return
    set -l offers ($program __complete "=$current" $words[2..-1] 2>/dev/null)
    set -l value (string replace -r '^--[^=]+=' '' -- $current)
    set -l prefix (string replace -r '^(--[^=]+=)?.*$' '$1' -- $current)
    switch "$offers[1]"
        case ':files'
            string replace -r '^' -- "$prefix" (__fish_complete_path "$value")
        case ':folders'
            string replace -r '^' -- "$prefix" (__fish_complete_directories "$value" '')
        case '*'
            printf '%s\n' $offers
    end
end
complete -c ralph -f -a '(__ralph_complete)'
