#!/usr/bin/env bash
# Plants one mistake at a time in a copy of the library, and fails where the random graph scripts don't find it in memory: a check
# of the scripts' own checks. The mistakes are the patches in Tests/ConformanceTests/Graphs/Planted. It fails as well where a patch
# doesn't apply any more or doesn't compile, and where the scripts fail without a mistake.
#
#   scripts/check-planted.sh [NAME...]
#
# NAME is a patch's, without its folder and `.patch`.
#
# | variable | meaning |
# | --- | --- |
# | PLANTED_SEQUENCES | within how many scripts a mistake has to be found; 500 |
# | GRAPH_SEED | the seed of the first script; 1 |
# | PLANTED_SCRATCH | the folder of the copy, which is kept for the next run; a temporary one that is removed |
#
# Everything is built in the copy, in a package that has only what the scripts need. The repository stays as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

graphs=Tests/ConformanceTests/Graphs
planted=$PWD/$graphs/Planted
count=${PLANTED_SEQUENCES:-500}
first=${GRAPH_SEED:-1}
[ "$count" -gt 0 ] || fail "PLANTED_SEQUENCES has to be above 0."
mistakes=("$@")
if [ ${#mistakes[@]} -eq 0 ]; then
    mapfile -t mistakes < <(cd "$planted" && printf '%s\n' *.patch | sed 's/\.patch$//')
fi
for name in "${mistakes[@]}"; do [ -f "$planted/$name.patch" ] || fail "there is no patch $name in $graphs/Planted."; done

if [ -n "${PLANTED_SCRATCH:-}" ]; then
    mkdir -p "$PLANTED_SCRATCH"
    scratch=$(cd "$PLANTED_SCRATCH" && pwd)
else
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM
fi
log=$scratch/log

# Copies the targets that the scripts need. Times stay, so that a copy that is kept is built only where something has changed.
copy_sources() {
    local target
    rm -rf "$scratch/Sources" "$scratch/Tests"
    mkdir -p "$scratch/Sources" "$scratch/Tests/GraphTests"
    for target in ContextCore ContextMacros MacroExpansion StoreConformance; do
        cp -Rp "Sources/$target" "$scratch/Sources/"
    done
    cp -Rp Tests/RandomSeeds Tests/ChildProcesses "$scratch/Tests/"
    cp -Rp "$graphs" Tests/ConformanceTests/FreshStore.swift "$scratch/Tests/GraphTests/"
    rm -rf "$scratch/Tests/GraphTests/Graphs/Planted"
}

# Writes the kinds of stores that the scripts run on: memory alone.
write_subject() {
    cat <<'SWIFT'
import ContextCore
import StoreConformance

struct Subject: Sendable, CustomStringConvertible {
    let fixture: StoreFixture
    var description: String { fixture.name }
    var slowness: UInt64 { 1 }

    static let all = [
        Subject(
            fixture: StoreFixture(name: "memory", capabilities: [.history, .readsBesideWrites]) { _, model in
                InMemoryCoordinator(model: model)
            })
    ]
}
SWIFT
}

# Writes the package. Its settings, and the place of the SwiftSyntax modules, are those of this repository's.
write_package() {
    sed -n '1,/^let package/p' Package.swift | sed '$d'
    cat <<'SWIFT'
let package = Package(
    name: "Planted",
    dependencies: SwiftSyntaxSource.current.packageDependencies,
    targets: [
        .target(
            name: "MacroExpansion",
            dependencies: SwiftSyntaxSource.current.targetDependencies,
            swiftSettings: settings + SwiftSyntaxSource.current.swiftSettings,
            linkerSettings: SwiftSyntaxSource.current.linkerSettings),
        .macro(
            name: "ContextMacros",
            dependencies: ["MacroExpansion"] + SwiftSyntaxSource.current.targetDependencies,
            swiftSettings: settings + SwiftSyntaxSource.current.swiftSettings,
            linkerSettings: SwiftSyntaxSource.current.linkerSettings),
        .target(name: "ContextCore", dependencies: ["ContextMacros"], swiftSettings: settings),
        .target(name: "StoreConformance", dependencies: ["ContextCore"], swiftSettings: settings),
        .target(name: "ChildProcesses", path: "Tests/ChildProcesses", swiftSettings: settings),
        .target(name: "RandomSeeds", path: "Tests/RandomSeeds", swiftSettings: settings),
        .testTarget(
            name: "GraphTests",
            dependencies: ["StoreConformance", "ContextCore", "ChildProcesses", "RandomSeeds"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

SWIFT
    sed -n '/^\/\/\/ Says where the macros/,$p' Package.swift
}

# Builds the copy; what the compiler says is in the log.
build() {
    swift_build --build-tests --package-path "$scratch" >"$log" 2>&1
}

# Runs the scripts as they are run by default, but for their number; what they say is in the log.
run_scripts() {
    env -u GRAPH_STEPS_PER_SEQUENCE -u GRAPH_STEPS -u GRAPH_RULES -u GRAPH_FAILURES -u GRAPH_CONTEXTS \
        GRAPH_SEQUENCES="$count" GRAPH_SEED="$first" SWIFT_DETERMINISTIC_HASHING=1 \
        swift test --skip-build --disable-xctest --filter GraphScriptTests --package-path "$scratch" >"$log" 2>&1
}

# Prints the seed of the script that failed, as the log has it; nothing where it names none.
failed_seed() {
    sed -n 's/.*GRAPH_SEED=\([0-9][0-9]*\).*/\1/p' "$log" | head -n 1
}

# Prints the files that the patch of a mistake changes.
changed_files() {
    git apply --numstat "$planted/$1.patch" 2>/dev/null | cut -f 3
}

# Applies the patch of a mistake to the copy, which git must not take for a part of a repository around it. Says why it can't.
plant() {
    local file
    while IFS= read -r file; do
        case $file in
        Sources/ContextCore/*) ;;
        *)
            echo "$file is not in Sources/ContextCore." >"$log"
            return 1
            ;;
        esac
    done < <(changed_files "$1")
    GIT_CEILING_DIRECTORIES=$(dirname "$scratch") \
        git -C "$scratch" apply --ignore-whitespace "$planted/$1.patch" >"$log" 2>&1
}

# Gives the copy the files again that the patch of a mistake changed; they are newer than what was built of them.
restore() {
    local file
    while IFS= read -r file; do
        [ ! -f "$file" ] || cp "$file" "$scratch/$file"
    done < <(changed_files "$1")
}

# Plants a mistake and lets the scripts look for it. Prints what came of it, and returns whether the mistake was found.
look_for() {
    local name=$1 seed
    if ! plant "$name"; then
        echo "$name: the patch doesn't apply; adapt it to the code as it is."
        tail -n 5 "$log"
        return 1
    fi
    if ! build; then
        echo "$name: doesn't compile; adapt the patch to the code as it is."
        grep 'error:' "$log" | head -n 5
        return 1
    fi
    if run_scripts; then
        echo "$name: NOT FOUND in $count sequences."
        return 1
    fi
    seed=$(failed_seed)
    if [ -z "$seed" ]; then
        echo "$name: the scripts ended without naming a seed."
        tail -n 5 "$log"
        return 1
    fi
    echo "$name: found by GRAPH_SEED=$seed, in sequence $((seed - first + 1)) of $count."
}

step "Building without a mistake"
copy_sources
write_subject >"$scratch/Tests/GraphTests/Subject.swift"
write_package >"$scratch/Package.swift"
build || { tail -n 20 "$log"; fail "the copy doesn't compile."; }

step "Running $count sequences without a mistake"
run_scripts || { tail -n 40 "$log"; fail "the scripts fail without a mistake; see above."; }

step "Planting ${#mistakes[@]} mistakes"
missed=()
for name in "${mistakes[@]}"; do
    look_for "$name" || missed+=("$name")
    restore "$name"
done
[ ${#missed[@]} -eq 0 ] || fail "${#missed[@]} of ${#mistakes[@]} mistakes were not planted and found: ${missed[*]}."
echo "check-planted.sh: all ${#mistakes[@]} mistakes were found, each within $count sequences."
