#!/usr/bin/env bash
# Fails where a folder uses a type of a folder above it. The folders of Sources/ContextCore and their order are those of the table
# in docs/ARCHITECTURE.md; SQLStore and the backends may use those at the bottom alone. What is allowed all the same is listed below,
# each with its reason.
#
#   scripts/check-layers.sh            checks
#   scripts/check-layers.sh --arrows   prints every use of a type of another folder, with its number of files
#
# It goes by names: of the types that are declared at the top level of a file, and only once. Comments and texts don't count.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# From the ground up.
folders=(
    Support Model Identifiers Errors Rows Predicates Migration Coordination Observing Graph Pipeline Sharing InMemory Inspection Stores
    Configuration Operations Results
)

# FOLDER TYPE: what may be used though it is above.
exceptions() {
    sed 's/ *#.*//; /^ *$/d' <<'LIST'
Model ManagedObject              # a model that is made from classes knows the classes, and calls nothing but their descriptions
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
            split(pair, parts, SUBSEP); print "scripts/check-layers.sh: the exception of " parts[1] " for " parts[2] " is not needed any more"; failures++
        }
        if (failures) { print "check-layers.sh: " failures " uses go against the order of the folders."; exit 1 }
        print "check-layers.sh: every folder uses only those below it."
    }'
