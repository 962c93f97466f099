#!/usr/bin/env bash
# Checks that the package works as a dependency: by path, offline; by URL, without unsafe flags; and with one trait
# disabled, without that trait's C library.
#
#   scripts/check-package.sh
#   scripts/check-package.sh --build-by-url [REPOSITORY]
#
# The second form also builds by URL, which fetches swift-syntax (from REPOSITORY, if given) and takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

root=$PWD
version=0.1.0
syntax=https://github.com/swiftlang/swift-syntax.git
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints file $1 of the package in the README: the block below the comment that names it.
readme_file() {
    awk -v comment="<!-- file: $1 -->" '
        $0 == comment { found = 1 }
        inside && $0 == "```" { exit }
        inside { print }
        found && $0 == "```swift" { inside = 1 }
    ' README.md
}

# Writes package $1: the README's first one, named Consumer, with dependency $2 on this package.
write_consumer() {
    mkdir -p "$1/Sources"
    readme_file Package.swift | sed 's|"Games"|"Consumer"|g' |
        sed "s|\.package(name: \"ContextCore\", path: \"../ContextCore\")|$2|" >"$1/Package.swift"
    grep -qF "$2" "$1/Package.swift" || fail "the README's Package.swift has no dependency by path."
    readme_file Sources/main.swift >"$1/Sources/main.swift"
}

# Runs program $1 twice in a new folder, where it creates a store; $2 says how it was built.
check_program() {
    local folder
    folder=$(mktemp -d "$work/run.XXXXXX")
    [ "$(cd "$folder" && "$1" && "$1")" = $'Ann 12\nAnn 24, Bo 16' ] ||
        fail "the README's program, built $2, printed a wrong result."
}

check_use_by_path() {
    step "By path, offline"
    write_consumer "$work/by-path" ".package(name: \"ContextCore\", path: \"$root\")"
    # With only the file protocol, git can't fetch from the network.
    (
        export GIT_ALLOW_PROTOCOL=file
        swift_consumer build --package-path "$work/by-path"
    )
    check_program "$root/$consumers_scratch/debug/Consumer" "by path"
}

# Commits the files of the work tree, tracked or new, to a repository at $1 and tags it.
make_release() {
    mkdir -p "$1"
    git ls-files -co --exclude-standard -z | (xargs -0 ls -d 2>/dev/null || true) | tar -cf - -T - | tar -xf - -C "$1"
    commit_all "$1" "$version"
}

# Makes folder $1 a repository with one commit and the tag $2.
commit_all() {
    git -C "$1" init -q
    git -C "$1" add -A
    git -C "$1" -c user.name=check -c user.email=check@example.invalid commit -qm "Release"
    git -C "$1" tag "$2"
}

# Writes a package with swift-syntax's products, but empty: enough to resolve versions without a network.
write_syntax_stub() {
    local product products='' targets=''
    for product in SwiftSyntax SwiftSyntaxMacros SwiftSyntaxMacroExpansion SwiftSyntaxBuilder SwiftDiagnostics \
        SwiftParser SwiftBasicFormat SwiftOperators _SwiftCompilerPluginMessageHandling; do
        mkdir -p "$1/Sources/$product"
        echo >"$1/Sources/$product/Empty.swift"
        products+=".library(name: \"$product\", targets: [\"$product\"]),"
        targets+=".target(name: \"$product\"),"
    done
    cat >"$1/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(name: "swift-syntax", products: [$products], targets: [$targets])
MANIFEST
    commit_all "$1" 603.0.0
}

# Resolves a package that depends on a release by URL; swift-syntax comes from $1.
resolve_by_url() {
    write_consumer "$work/by-url" ".package(url: \"file://$work/ContextCore\", from: \"$version\")"
    swift package --package-path "$work/by-url" config set-mirror --original "$syntax" --mirror "$1" >/dev/null
    swift package --package-path "$work/by-url" --cache-path "$work/cache" resolve
}

check_use_by_url() {
    local manifest checkout=$work/by-url/.build/checkouts/ContextCore
    step "By URL"
    make_release "$work/ContextCore"
    write_syntax_stub "$work/swift-syntax"
    resolve_by_url "file://$work/swift-syntax"
    manifest=$(swift package --package-path "$checkout" dump-package)
    grep -q 'swift-syntax' <<<"$manifest" || fail "in a checkout the manifest doesn't take the swift-syntax package."
    ! grep -q 'unsafeFlags' <<<"$manifest" || fail "in a checkout the manifest uses unsafe flags."
    manifest=$(swift package dump-package)
    ! grep -q 'swift-syntax' <<<"$manifest" || fail "in a clone the manifest takes the swift-syntax package."
    ! grep -Eq 'swift-(log|metrics|distributed-tracing|service-lifecycle)' "$work/by-url/Package.resolved" ||
        fail "the packages of the adapters are resolved although no trait enables them."
}

build_by_url() {
    step "By URL, with swift-syntax itself"
    rm -rf "$work/by-url"
    resolve_by_url "$1"
    swift_build --package-path "$work/by-url" --cache-path "$work/cache"
    check_program "$work/by-url/.build/debug/Consumer" "by URL"
}

# Builds with trait $1 alone, with header $2 and pkg-config's file $3.pc of the other library hidden: an earlier header
# of the same name is an error. Module $4 needs that header, so its failure proves that the header is hidden.
check_trait() {
    local trait=$1 header=$2 library=$3 module=$4 hidden=$work/hidden-$1 scratch=.build/only-$1
    step "Trait $trait alone, $header hidden"
    mkdir -p "$hidden/include" "$hidden/pkgconfig"
    echo "#error \"$header is hidden\"" >"$hidden/include/$header"
    pkg-config --variable pc_path pkg-config | tr : '\n' | while IFS= read -r folder; do
        find "$folder" -maxdepth 1 -name '*.pc' ! -name "$library.pc" -exec ln -sf {} "$hidden/pkgconfig/" \; \
            2>/dev/null || true
    done
    (
        export PKG_CONFIG_LIBDIR=$hidden/pkgconfig PKG_CONFIG_PATH=
        swift_build --scratch-path "$scratch" --product storectl -Xcc "-I$hidden/include" \
            --disable-default-traits --traits "$trait"
    ) || fail "with the trait $trait alone the package needs $library."
    ! readelf -d "$scratch/debug/storectl" | grep "NEEDED.*lib${library#lib}\." >/dev/null ||
        fail "with the trait $trait alone storectl is linked with $library."
    [ "$("$scratch/debug/storectl" version | wc -l)" -eq 2 ] ||
        fail "with the trait $trait alone 'storectl version' doesn't name one library."
    echo "import $module" >"$work/control.swift"
    ! swiftc -typecheck -module-cache-path "$work/modules" -Xcc "-I$hidden/include" \
        -Xcc "-fmodule-map-file=Sources/$module/module.modulemap" "$work/control.swift" >"$work/control" 2>&1 &&
        grep -q "$header is hidden" "$work/control" ||
        fail "$header was not hidden, so this check proves nothing."
}

install_missing sqlite libpq
check_use_by_path
check_use_by_url
if [ "${1:-}" = --build-by-url ]; then
    build_by_url "${2:-$syntax}"
fi
check_trait SQLite libpq-fe.h libpq CPostgres
check_trait Postgres sqlite3.h sqlite3 CSQLite
printf '\n'
echo "check-package.sh: the package can be used by path, by URL, and with one trait."
