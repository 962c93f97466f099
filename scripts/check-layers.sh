#!/usr/bin/env bash
# Fails if a folder uses a type of a layer above it. The layers are the folders of Sources/ContextCore in the order of the table in
# docs/ARCHITECTURE.md. SQLStore and the backends must not use the folders in `closed`. Exceptions are listed below with their reasons.
#
#   scripts/check-layers.sh            checks
#   scripts/check-layers.sh --arrows   prints every use of a type of another folder, with its number of files
#
# Types are recognized by name: those declared at the top level of one file only. Comments and string literals are ignored.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# From the lowest layer up.
mapfile -t folders < <(awk '/lowest layer first/ { isTable = 1 } isTable && /^\| `/ { gsub(/`/, ""); print $2; isRow = 1 }
    isRow && /^$/ { exit }' docs/ARCHITECTURE.md)
for folder in Sources/ContextCore/*/; do
    folder=$(basename "$folder")
    case " ${folders[*]} ContextCore.docc " in
    *" $folder "*) ;;
    *)
        echo "check-layers.sh: docs/ARCHITECTURE.md doesn't name the folder $folder of Sources/ContextCore." >&2
        exit 1
        ;;
    esac
done

# FOLDER TYPE: exceptions.
exceptions() {
    sed 's/ *#.*//; /^ *$/d' <<'LIST'
Model ManagedObject              # a model that is created from classes calls only the classes' descriptions
Model PredicateArgument          # a value of any attribute type can be used in a predicate
Model IndexPredicateChecking     # a model rejects an index whose predicate can't be read
LIST
}

# Folders of ContextCore that neither SQLStore nor a backend uses.
closed=(Graph Sharing Results Observing)

# Prints FOLDER<tab>FILE for each Swift file that is checked.
files() {
    local folder target
    for folder in "${folders[@]}"; do
        find "Sources/ContextCore/$folder" -name '*.swift' -printf "$folder\t%p\n"
    done
    for target in SQLStore SQLiteBackend PostgresBackend; do find "Sources/$target" -name '*.swift' -printf "$target\t%p\n"; done
}

files | LC_ALL=C sort | awk -F '\t' -v order="${folders[*]}" -v closed="${closed[*]}" -v exceptions="$(exceptions)" \
    -v printsArrows="${1:-}" '
    BEGIN {
        count = split(order, names, " ")
        for (i = 1; i <= count; i++) rank[names[i]] = i
        split(closed, names, " ")
        for (i in names) isClosed[names[i]] = 1
        count = split(exceptions, names, "\n")
        for (i = 1; i <= count; i++) { split(names[i], parts, /[ \t]+/); isAllowed[parts[1], parts[2]] = 1 }
    }
    { folderOf[$2] = $1; paths[++pathCount] = $2 }
    END {
        for (p = 1; p <= pathCount; p++) {
            path = paths[p]; folder = folderOf[path]; inText = 0
            while ((getline line < path) > 0) {
                if (line ~ /"""/) { if (gsub(/"""/, "", line) % 2) inText = !inText; continue }
                if (inText) continue
                gsub(/"([^"\\]|\\.)*"/, "", line)
                sub(/\/\/.*/, "", line)
                if (match(line, /^(@[A-Za-z]+(\([^)]*\))? |public |package |final |open |indirect |nonisolated )*(struct|class|enum|protocol|actor|typealias) [A-Z][A-Za-z0-9]*/)) {
                    name = substr(line, RSTART, RLENGTH); sub(/.* /, "", name)
                    declared[name]++; home[name] = folder
                }
                while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
                    word = substr(line, RSTART, RLENGTH)
                    before = RSTART > 1 ? substr(line, RSTART - 1, 1) : ""
                    line = substr(line, RSTART + RLENGTH)
                    if (word ~ /^[A-Z]/ && before != "." && !((path, word) in seen)) {
                        seen[path, word] = 1
                        uses[++useCount] = path SUBSEP word
                    }
                }
            }
            close(path)
        }
        for (u = 1; u <= useCount; u++) {
            split(uses[u], parts, SUBSEP)
            path = parts[1]; word = parts[2]; from = folderOf[path]; to = home[word]
            if (declared[word] != 1 || to == "" || to == from) continue
            if (printsArrows != "") { arrows[from " -> " to ": " word]++; continue }
            isWrong = (from in rank) ? (to in rank) && rank[to] > rank[from] : to in isClosed
            if (!isWrong) continue
            if ((from, word) in isAllowed) { isUsed[from, word] = 1; continue }
            print path ": uses " word ", which is in " to; failures++
        }
        if (printsArrows != "") { for (arrow in arrows) print arrow " (" arrows[arrow] ")"; exit 0 }
        for (pair in isAllowed) if (!(pair in isUsed) && pair != SUBSEP) {
            split(pair, parts, SUBSEP); print "scripts/check-layers.sh: the exception of " parts[1] " for " parts[2] " is unused"; failures++
        }
        if (failures) { print "check-layers.sh: " failures " uses violate the order of the layers."; exit 1 }
        print "check-layers.sh: every folder uses only layers below it."
    }'
