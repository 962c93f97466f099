#!/usr/bin/env bash
# Builds the documentation of every library with a catalog, offline; warnings are errors. Also fails if a public symbol has no
# documentation comment of its own or from a protocol, or if no page lists a public type in a topic. Writes the archives to .build/docs.
#
#   scripts/docs.sh [--site FOLDER [--base PATH]] [FLAG...]
#
# With --site it also writes the project's site to FOLDER: the documentation of all libraries, a landing page, the commands of
# storectl, the documents, and a search. PATH is the path of the site on its server: / if it is missing.
# Other flags go to 'swift build'. With the flags of the last build, nothing is built again.
set -euo pipefail
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

site=
base=/
while [[ ${1:-} == --site || ${1:-} == --base ]]; do
    [ $# -ge 2 ] || fail "$1 needs a value."
    if [ "$1" = --site ]; then site=$(cd "$caller" && realpath -m "$2"); else base=$2; fi
    shift 2
done

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

# Writes the documentation of a library without a catalog.
document_symbols() {
    step "Documenting $1"
    extract_symbols "$1"
    "$docc" convert --additional-symbol-graph-dir "$graphs/$1" --fallback-display-name "$1" \
        --fallback-bundle-identifier "$1" --output-dir "$output/$1.doccarchive" --warnings-as-errors
}

# Merges the documentation of all libraries, and makes the site around it.
make_site() {
    step "Making the site"
    "$docc" merge "$output"/*.doccarchive --synthesized-landing-page-name ContextCore \
        --synthesized-landing-page-kind Package --synthesized-landing-page-topics-style list \
        --output-path "$output/merged"
    "$docc" process-archive transform-for-static-hosting "$output/merged" --hosting-base-path "$base" \
        --output-path "$output/static"
    PYTHONDONTWRITEBYTECODE=1 python3 scripts/support/site/build.py --archive "$output/static" --storectl .build/debug/storectl \
        --output "$site" --base "$base"
    echo "docs.sh: the site is in $site."
}

install_missing sqlite libpq
[ -z "$site" ] || install_missing python
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
    "$checker" "$catalog" "$graphs/$library"/*.symbols.json || status=1
    "$docc" convert "$catalog" --additional-symbol-graph-dir "$graphs/$library" \
        --fallback-display-name "$library" --fallback-bundle-identifier "$library" \
        --output-dir "$output/$library.doccarchive" --warnings-as-errors || status=1
done
printf '\n'
[ "$status" -eq 0 ] || fail "the documentation is incomplete or has warnings."
echo "docs.sh: the documentation is complete; it is in $output."
if [ -n "$site" ]; then
    document_symbols StoreConformance
    make_site
fi
