#!/usr/bin/env bash
# Builds the documentation of every library with a catalog, offline; warnings are errors. Also fails if a
# public symbol has no documentation comment of its own or from a protocol. Writes the archives to .build/docs.
#
#   scripts/docs.sh [FLAG...]
#
# Flags go to 'swift build'. With the flags of the last build, nothing is built again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

output=.build/docs
docc=$(command -v docc || echo "$(toolchain)/bin/docc")
graphs=$output/graphs
target=$(swift -print-target-info | sed -n '/"target"/,/}/s/.*"unversionedTriple": "\([^"]*\)".*/\1/p')

# Prints the compiler flags for the module maps and headers of the C libraries.
clang_flags() {
    local map flag
    for map in Sources/C*/module.modulemap; do
        printf '%s\n' -Xcc "-fmodule-map-file=$map"
    done
    for flag in $(pkg-config --cflags sqlite3 libpq); do
        printf '%s\n' -Xcc "$flag"
    done
}

# Writes the symbol graphs of library $1 into a separate folder.
extract_symbols() {
    mkdir -p "$graphs/$1"
    swift symbolgraph-extract -module-name "$1" -I .build/debug/Modules -target "$target" "${flags[@]}" \
        -minimum-access-level public -output-dir "$graphs/$1"
}

install_missing sqlite libpq
step "Building"
swift_build --disable-build-manifest-caching "$@"
rm -rf "$output"
mapfile -t flags < <(clang_flags)
status=0
checker=$(compiled_tool undocumented)
for catalog in Sources/*/*.docc; do
    library=$(basename "$catalog" .docc)
    step "Documenting $library"
    extract_symbols "$library"
    "$checker" "$graphs/$library"/*.symbols.json || status=1
    "$docc" convert "$catalog" --additional-symbol-graph-dir "$graphs/$library" \
        --fallback-display-name "$library" --fallback-bundle-identifier "$library" \
        --output-dir "$output/$library.doccarchive" --warnings-as-errors || status=1
done
printf '\n'
[ "$status" -eq 0 ] || fail "the documentation is incomplete or has warnings."
echo "docs.sh: the documentation is complete; it is in $output."
