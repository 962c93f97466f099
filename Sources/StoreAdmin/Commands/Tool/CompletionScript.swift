import ContextCore

/// Makes the completion scripts of shells, which call the command `complete` of the program.
///
/// Each script passes the words before the cursor and offers the lines of the answer, as ``CompletionAnswer/text`` describes them.
struct CompletionScript {
    /// The program's name.
    let name: String

    /// The name of the script's functions, without characters that a shell doesn't allow in names.
    private var function: String {
        "_" + name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
    }

    private func filled(_ template: String) -> String {
        template.replacing("@function@", with: function).replacing("@name@", with: name.shellQuoted)
            .replacing("@title@", with: name)
    }
}

extension CompletionScript {
    /// The script for bash, from version 3.2 on.
    var bash: String {
        filled(
            #"""
            # Completions of @title@ for bash.
            @function@() {
                local program=$1 rest=${COMP_LINE:0:COMP_POINT} words=() piece prefix= quote= candidate i
                COMPREPLY=()
                # Bash splits words at colons and equals signs too; this joins them again.
                for ((i = 0; i < COMP_CWORD; i++)); do
                    piece=${COMP_WORDS[i]}
                    if ((i > 0)) && [[ $rest == "$piece"* ]]; then
                        words[${#words[@]} - 1]+=$piece
                    else
                        words+=("$piece")
                    fi
                    rest=${rest#*"$piece"}
                done
                if [[ $rest == [[:space:]]* ]]; then
                    words+=("${rest#"${rest%%[![:space:]]*}"}")
                else
                    words[${#words[@]} - 1]+=$rest
                fi
                piece=${words[${#words[@]} - 1]}
                case $piece in
                    # Bash replaces the text after an opening quote.
                    [\'\"]*) quote=${piece:0:1} piece=${piece:1} ;;
                    *[\'\"\\]*) return ;;
                    # Otherwise it replaces the text after the last of these characters.
                    *)
                        prefix=$piece
                        while [[ -n $prefix && $COMP_WORDBREAKS != *"${prefix: -1}"* ]]; do prefix=${prefix%?}; done
                        ;;
                esac
                words[${#words[@]} - 1]=$piece
                [[ $program == '~/'* ]] && program=$HOME/${program:2}
                while IFS=$'\t' read -r candidate _; do
                    case $candidate in
                        :nospace) compopt -o nospace 2>/dev/null ;;
                        :files) @function@_paths -f "${piece#"$prefix"}" ;;
                        :folders) @function@_paths -d "${piece#"$prefix"}" ;;
                        ?*) @function@_add "${candidate#"$prefix"}" ;;
                    esac
                done < <("$program" complete -- "${words[@]:1}" 2>/dev/null)
            }
            complete -F @function@ @name@

            """# + Self.bashFunctions)
    }

    /// The functions that the completion function calls; they share its variables.
    private static let bashFunctions = #"""
        # Adds a name, escaped for the quotes around it: it comes from a store, and must not become a command.
        @function@_add() {
            local word=$1
            case $quote in
                \') [[ $word == *\'* ]] && return ;;
                \")
                    [[ $word == *\!* ]] && return
                    word=${word//\\/\\\\}
                    word=${word//\"/\\\"}
                    word=${word//\$/\\\$}
                    word=${word//\`/\\\`}
                    ;;
                *) [[ $word == *[!A-Za-z0-9_./:=,@%+-]* ]] && word=$(printf %q "$word") ;;
            esac
            COMPREPLY+=("$word")
        }
        @function@_paths() {
            local path
            compopt -o filenames 2>/dev/null
            while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$2")
        }

        """#

    /// The script for zsh.
    var zsh: String {
        filled(
            #"""
            #compdef @name@
            # Completions of @title@ for zsh.
            @function@() {
                local program=${~words[1]} line word
                local -a candidates options
                for line in "${(@f)$("$program" complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
                    word=${${line%%$'\t'*}//:/\\:}
                    case $line in
                        :nospace) options=(-S '') ;;
                        :files | :folders)
                            [[ $PREFIX == --*=* ]] && compset -P '*='
                            if [[ $line == :folders ]]; then _files -/; else _files; fi
                            ;;
                        *$'\t'*) candidates+=("$word:${line#*$'\t'}") ;;
                        ?*) candidates+=("$word") ;;
                    esac
                done
                (($#candidates)) && _describe -t words word candidates "${(@)options}"
            }
            if [[ $funcstack[1] == @function@ ]]; then @function@ "$@"; else compdef @function@ @name@; fi

            """#)
    }

    /// The script for fish, from version 3.0 on.
    var fish: String {
        filled(
            #"""
            # Completions of @title@ for fish.
            function _@function@_complete
                set -l words (commandline -opc)
                set -l program $words[1]
                set -e words[1]
                set -l current (commandline -ct | string unescape)
                for line in ($program complete -- $words "$current" 2>/dev/null)
                    switch $line
                        case :nospace
                        case :files
                            _@function@_paths __fish_complete_path "$current"
                        case :folders
                            _@function@_paths __fish_complete_directories "$current"
                        case '*'
                            printf '%s\n' $line
                    end
                end
            end
            function _@function@_paths
                set -l option (string match -r -- '^--[^=]*=' $argv[2])
                for path in ($argv[1] (string replace -r -- '^--[^=]*=' '' $argv[2]))
                    printf '%s\n' "$option$path"
                end
            end
            complete -c @name@ -f -a '(_@function@_complete)'

            """#)
    }
}
