# Completion for kftrain in bash: commands and options, as `kftrain --help` and `kftrain COMMAND --help` list them.
_kftrain() {
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=() pattern i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        if [[ ${COMP_WORDS[i]} =~ ^[a-z][a-z-]*$ && (${#command[@]} -eq 0 || ${command[*]} == local) ]]; then
            command+=("${COMP_WORDS[i]}")
        fi
    done
    if [[ $word == -* ]]; then
        pattern='s/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'
    elif [[ ${#command[@]} -eq 0 || ${command[*]} == local ]]; then
        pattern='s/^  \([a-z][a-z-]*\)  .*/\1/p'
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
    fi
    local names
    names=$("$program" "${command[@]}" --help 2>/dev/null | sed -n "$pattern")
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
}
complete -o filenames -F _kftrain kftrain
