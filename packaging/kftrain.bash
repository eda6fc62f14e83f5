# Completion for kftrain in bash: commands here, options from `kftrain COMMAND --help`.
_kftrain() {
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=() options
    local commands="run local render ranks lint diff fmt convert submit get list watch wait logs events explain"
    commands+=" scale suspend resume delete plan preflight"
    local i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        if [[ ${COMP_WORDS[i]} =~ ^[a-z]+$ && ${#command[@]} -lt 2 ]]; then
            if ((${#command[@]} == 0)) || [[ ${command[0]} == local ]]; then command+=("${COMP_WORDS[i]}"); fi
        fi
    done
    if [[ $word == -* ]]; then
        options=$("$program" "${command[@]}" --help 2>/dev/null |
            grep -oE -- '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif ((${#command[@]} == 0)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
    elif [[ ${command[*]} == local ]]; then
        mapfile -t COMPREPLY < <(compgen -W "up status down" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -o filenames -F _kftrain kftrain
