/// Makes completion scripts from the declarations of commands.
struct CompletionScript {
    let tree: CommandTree
    /// The program's name.
    let name: String

    /// The prefix of the script's functions, without characters that a shell doesn't allow in names.
    private var function: String {
        "_" + name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
    }

    /// The words that can follow the words of a command: further words, or the options of a complete command.
    private var table: [(words: String, next: [String])] {
        var table: [(String, [String])] = [("", firstWords)]
        for group in tree.groups {
            table.append((group.name, tree.commands(in: group.name).map { $0.declaration.words[1] }))
        }
        for command in tree.commands {
            let options = command.declaration.allOptions.map { "--" + $0.name }
            table.append((command.declaration.name, options + choices(of: command.declaration)))
        }
        return table
    }

    private var firstWords: [String] {
        Set(tree.commands.map { $0.declaration.words[0] } + ["help"]).sorted()
    }

    /// Returns the valid values of a command's operand, if it has few.
    private func choices(of command: CommandDeclaration) -> [String] {
        command.words == ["completion"] ? ["bash", "zsh", "fish"] : []
    }

    var bash: String {
        let cases = table.map { "        '\($0.words)') words='\($0.next.joined(separator: " "))' ;;" }
        return """
            # Completions of \(name) for bash.
            \(function)() {
                local word=${COMP_WORDS[COMP_CWORD]} path='' words='' i
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        -*) ;;
                        *) if \(function)_is "${path:+$path }${COMP_WORDS[i]}"; then path="${path:+$path }${COMP_WORDS[i]}"; fi ;;
                    esac
                done
                case ${COMP_WORDS[COMP_CWORD - 1]} in
                    -o | --output) COMPREPLY=($(compgen -W 'table json jsonl csv md' -- "$word")); return ;;
                    --config) COMPREPLY=($(compgen -f -- "$word")); return ;;
                esac
                case $path in
            \(cases.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            \(function)_is() {
                case $1 in
                    \(table.dropFirst().map { "'\($0.words)'" }.joined(separator: " | "))) return 0 ;;
                esac
                return 1
            }
            complete -o default -F \(function) \(name)

            """
    }

    var zsh: String {
        let cases = table.map { "        '\($0.words)') next=(\($0.next.joined(separator: " "))) ;;" }
        return """
            #compdef \(name)
            # Completions of \(name) for zsh.
            \(function)() {
                local found='' word i
                local -a next
                for ((i = 2; i < CURRENT; i++)); do
                    word=${words[i]}
                    [[ $word == -* ]] && continue
                    case "${found:+$found }$word" in
                        \(table.dropFirst().map { "'\($0.words)'" }.joined(separator: " | "))) found="${found:+$found }$word" ;;
                    esac
                done
                case $found in
            \(cases.joined(separator: "\n"))
                esac
                compadd -- $next
            }
            if [[ $funcstack[1] == \(function) ]]; then \(function) "$@"; else compdef \(function) \(name); fi

            """
    }

    var fish: String {
        var lines = [fishPath(of: table.dropFirst().map(\.words)), "complete -c \(name) -f"]
        for word in firstWords { lines.append(offer(word, after: "", tree.abstract(of: word))) }
        for group in tree.groups {
            for command in tree.commands(in: group.name) {
                let declaration = command.declaration
                lines.append(offer(declaration.words[1], after: group.name, declaration.abstract))
            }
        }
        for command in tree.commands {
            let declaration = command.declaration
            for word in choices(of: declaration) { lines.append(offer(word, after: declaration.name, "")) }
            for option in declaration.ownOptions {
                lines.append(line(option, "-n '_\(function)_after \"\(declaration.name)\"' "))
            }
        }
        lines += OptionDeclaration.common.map { line($0, "") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the function that finds the command before the cursor, and compares it with its argument.
    ///
    /// Comparing single words isn't enough, because `history` is a group and also a command of the group `migrate`.
    private func fishPath(of commands: [String]) -> String {
        """
        # Completions of \(name) for fish.
        function _\(function)_after
            set -l known \(commands.map { "'\($0)'" }.joined(separator: " "))
            set -l found ''
            for word in (commandline -opc)[2..-1]
                set -l longer (string trim -- "$found $word")
                if contains -- "$longer" $known
                    set found $longer
                end
            end
            test "$found" = "$argv[1]"
        end
        """
    }

    private func offer(_ word: String, after words: String, _ abstract: String) -> String {
        "complete -c \(name) -n '_\(function)_after \"\(words)\"' -a \(word)"
            + (abstract.isEmpty ? "" : " -d \(quoted(abstract))")
    }

    private func line(_ option: OptionDeclaration, _ condition: String) -> String {
        "complete -c \(name) \(condition)-l \(option.name)" + (option.letter.map { " -s \($0)" } ?? "")
            + (option.value == nil ? "" : " -r")
            + (option.choices.isEmpty ? "" : " -a \(quoted(option.choices.joined(separator: " ")))")
            + " -d \(quoted(option.help))"
    }

    private func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
