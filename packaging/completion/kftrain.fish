# Completion for kftrain in fish: commands and options, as `kftrain --help` and `kftrain COMMAND --help` list them.
function __kftrain_command
    # The command before the cursor: one word, or two after `local`.
    set -l found
    for word in (commandline -opc)[2..-1]
        if string match -qr '^[a-z][a-z-]*$' -- $word
            set -a found $word
            if test "$found" != local
                break
            end
        end
    end
    string join \n $found
end

function __kftrain_commands
    kftrain (__kftrain_command) --help 2>/dev/null | string replace -rf '^  ([a-z][a-z-]*)  +(.*)' '$1\t$2'
end

function __kftrain_options
    kftrain (__kftrain_command) --help 2>/dev/null |
        string replace -rf '^ +(?:-[a-zA-Z], )?(--[a-z-]+)[^ ]*(?: [A-Z|a-z=]+)?  +(.*)' '$1\t$2'
end

function __kftrain_needs_command
    set -l command (__kftrain_command)
    test (count $command) -eq 0 -o "$command" = local
end

complete -c kftrain -f -n __kftrain_needs_command -a '(__kftrain_commands)'
complete -c kftrain -n 'string match -q -- "-*" (commandline -ct)' -a '(__kftrain_options)'
