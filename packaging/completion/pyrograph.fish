# fish completion of pyrograph, which is asked for it: its tables of options are the only list of them.
function __pyrograph_complete
    set -l typed (commandline -opc)
    set -l last (commandline -ct)
    for line in ($typed[1] --complete $typed[2..-1] "$last" 2>/dev/null)
        switch $line
            case :file
                __fish_complete_path "$last"
            case :directory
                __fish_complete_directories "$last"
            case :command
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end

for program in pyrograph pyrograph-collect pyrograph-collapse pyrograph-render pyrograph-web pyrograph-ship
    complete -c $program -f -a '(__pyrograph_complete)'
end
