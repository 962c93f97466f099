#!/usr/bin/env bash
# Plants one bug at a time in a copy of the library, and fails if the random graph tests don't find it in memory: mutation testing
# of these tests. The bugs are the patches in Tests/ConformanceTests/Graphs/Planted. The script also fails if a patch
# doesn't apply or doesn't compile, and if the tests fail without a bug.
#
#   scripts/check-planted.sh [NAME...]
#
# NAME is the name of a patch, without its folder and `.patch`.
#
# | variable | meaning |
# | --- | --- |
# | PLANTED_SEQUENCES | the number of test sequences within which a bug must be found; default 500 |
# | GRAPH_SEED | the seed of the first sequence; default 1 |
# | PLANTED_SCRATCH | the folder of the copy, which is kept for the next run; by default a temporary folder that is removed |
#
# Everything is built in the copy, in a package with only the required targets. The repository doesn't change.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

graphs=Tests/ConformanceTests/Graphs
planted=$PWD/$graphs/Planted
count=${PLANTED_SEQUENCES:-500}
first=${GRAPH_SEED:-1}
[ "$count" -gt 0 ] || fail "PLANTED_SEQUENCES must be at least 1."
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

# Copies the targets that the tests need. Keeps modification times, so a kept copy is rebuilt only where files have changed.
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

# Writes the kinds of stores that the tests run on: the in-memory store only.
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
            fixture: StoreFixture(name: "memory", capabilities: [.history, .concurrentReads]) { _, model in
                InMemoryCoordinator(model: model)
            })
    ]
}
SWIFT
}

# Writes the manifest. It has the settings and the location of the SwiftSyntax modules from this repository's manifest.
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

# Builds the copy, with the compiler's output in the log.
build() {
    swift_build --build-tests --package-path "$scratch" >"$log" 2>&1
}

# Runs the tests with their default settings except for the number of sequences, with their output in the log.
run_scripts() {
    env -u GRAPH_STEPS_PER_SEQUENCE -u GRAPH_STEPS -u GRAPH_RULES -u GRAPH_FAILURES -u GRAPH_CONTEXTS \
        GRAPH_SEQUENCES="$count" GRAPH_SEED="$first" SWIFT_DETERMINISTIC_HASHING=1 \
        swift test --skip-build --disable-xctest --filter GraphScriptTests --package-path "$scratch" >"$log" 2>&1
}

# Prints the seed of the failed sequence from the log; prints nothing if the log has none.
failed_seed() {
    sed -n 's/.*GRAPH_SEED=\([0-9][0-9]*\).*/\1/p' "$log" | head -n 1
}

# Prints the files that a patch changes.
changed_files() {
    git apply --numstat "$planted/$1.patch" 2>/dev/null | cut -f 3
}

# Applies a patch to the copy, which git must not treat as part of an enclosing repository. The log has the reason of a failure.
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

# Restores the files of the copy that a patch changed; they become newer than their build products.
restore() {
    local file
    while IFS= read -r file; do
        [ ! -f "$file" ] || cp "$file" "$scratch/$file"
    done < <(changed_files "$1")
}

# Plants a bug and runs the tests. Prints the result, and succeeds if the tests found the bug.
look_for() {
    local name=$1 seed
    if ! plant "$name"; then
        echo "$name: the patch doesn't apply; adapt it to the current code."
        tail -n 5 "$log"
        return 1
    fi
    if ! build; then
        echo "$name: doesn't compile; adapt the patch to the current code."
        grep 'error:' "$log" | head -n 5
        return 1
    fi
    if run_scripts; then
        echo "$name: NOT FOUND in $count sequences."
        return 1
    fi
    seed=$(failed_seed)
    if [ -z "$seed" ]; then
        echo "$name: the tests ended without printing a seed."
        tail -n 5 "$log"
        return 1
    fi
    echo "$name: found by GRAPH_SEED=$seed, in sequence $((seed - first + 1)) of $count."
}

step "Building without a bug"
copy_sources
write_subject >"$scratch/Tests/GraphTests/Subject.swift"
write_package >"$scratch/Package.swift"
build || { tail -n 20 "$log"; fail "the copy doesn't compile."; }

step "Running $count sequences without a bug"
run_scripts || { tail -n 40 "$log"; fail "the tests fail without a bug; see above."; }

step "Planting ${#mistakes[@]} bugs"
missed=()
for name in "${mistakes[@]}"; do
    look_for "$name" || missed+=("$name")
    restore "$name"
done
[ ${#missed[@]} -eq 0 ] || fail "${#missed[@]} of ${#mistakes[@]} bugs were not planted and found: ${missed[*]}."
echo "check-planted.sh: the tests found all ${#mistakes[@]} bugs, each within $count sequences."
