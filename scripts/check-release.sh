#!/usr/bin/env bash
# Checks scripts/release.sh: what it refuses, the release that it makes in a copy of this repository, and the packages of that release.
# The copy has no CI and doesn't build: stand-ins of gh and swift report success.
#
#   scripts/check-release.sh [STORECTL]
#
# STORECTL is the program to package: .build/debug/storectl, if it is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

program=$(realpath "${1:-.build/debug/storectl}")
version=$(package_version)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a dry run for version $1 and fails unless its output has the text $2.
expect_objection() {
    local said
    said=$(scripts/release.sh --dry-run "$1" 2>&1) && fail "a release of $1 would be made."
    grep -qF -- "$2" <<<"$said" || fail "the dry run of $1 doesn't say \"$2\": $said"
}

check_refusals() {
    step "What a release refuses"
    expect_objection 1.0 "1.0 is not a semantic version"
    expect_objection 01.0.0 "01.0.0 is not a semantic version"
    expect_objection 99.0.0-beta.1 "is a pre-release version"
    # The change log has no section for this version.
    expect_objection 99.0.0 'instead of "## 99.0.0 (unreleased)"'
    # Nor does a dry run change anything.
    [ "$(package_version)" = "$version" ] || fail "a dry run changed the version."
}

# Fails unless the list of files $1 has each of the others.
expect_files() {
    local list=$1 file
    shift
    for file in "$@"; do
        grep -qE "(^|/)$file\$" <<<"$list" || fail "$file is missing among: $list"
    done
}

# Fails unless program $1 prints the version without the environment of this shell.
expect_version() {
    [ "$(env -i "$@" version | head -n 1)" = "storectl $version" ] || fail "$* doesn't print the version $version."
}

check_tarball() {
    local archive=$1 root foreign
    mkdir "$work/tarball"
    tar -xzf "$archive" -C "$work/tarball"
    root=$(echo "$work"/tarball/storectl-*)
    expect_files "$(find "$root" -type f)" bin/storectl 'lib/libsqlite3.so.*' 'lib/libpq.so.*' share/bash-completion/completions/storectl \
        share/zsh/site-functions/_storectl share/fish/vendor_completions.d/storectl.fish share/doc/storectl/LICENSE licenses/swift \
        'share/man/man1/storectl\.1\.gz'
    expect_version "$root/bin/storectl"
    # Of other folders it may load only the C library.
    foreign=$(ldd "$root/bin/storectl" | awk '{ print $3 }' | grep '^/' | grep -v "^$root/" |
        grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv)\.so' || true)
    [ -z "$foreign" ] || fail "the program in the tarball loads: $foreign"
}

check_debian_package() {
    local package=$1 depends
    dpkg-deb --extract "$package" "$work/debian"
    expect_files "$(find "$work/debian" -type f)" usr/bin/storectl usr/share/doc/storectl/copyright usr/share/doc/storectl/changelog.gz \
        usr/share/bash-completion/completions/storectl usr/share/zsh/vendor-completions/_storectl 'usr/share/man/man1/storectl\.1\.gz'
    [ "$(dpkg-deb --field "$package" Version)" = "$version" ] || fail "the Debian package has another version."
    depends=$(dpkg-deb --field "$package" Depends)
    for library in libc6 libpq5 libsqlite3-0; do
        grep -qE "(^|, )$library( |,|$)" <<<"$depends" || fail "the Debian package doesn't depend on $library: $depends"
    done
    expect_version LD_LIBRARY_PATH="$work/debian/usr/lib/storectl" "$work/debian/usr/bin/storectl"
    (cd "$work/debian" && dpkg-deb --info "$package" md5sums | md5sum --quiet --check -) || fail "its checksums are wrong."
}

# Makes $work/copy a repository with the files of the work tree, ready for a release.
make_copy() {
    mkdir -p "$work/copy/.build/release"
    git ls-files -co --exclude-standard -z | (xargs -0 ls -d 2>/dev/null || true) | tar -cf - -T - | tar -xf - -C "$work/copy"
    cp "$program" "$work/copy/.build/release/storectl"
    cd "$work/copy"
    sed -i '/not released yet/d; /[Ff]rom the first release/d' README.md Sources/*/*.docc/*.md
    grep -q "^## $version (unreleased)" CHANGELOG.md ||
        sed -i "1,/^## /s/^## /## $version (unreleased)\n\n- A change.\n\n## /" CHANGELOG.md
    git init -q -b main
    git config user.name check
    git config user.email check@example.invalid
    git add -A
    git commit -qm "Prepare the release"
}

# Writes programs that take the place of gh and of `swift build`.
write_stand_ins() {
    mkdir "$work/stand-ins"
    printf '#!/bin/sh\necho "CI: success"\n' >"$work/stand-ins/gh"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\n[ "$1" = build ] || exec %q "$@"\n' "$(command -v swift)" >"$work/stand-ins/swift"
    chmod +x "$work/stand-ins"/*
}

check_release() {
    step "Releasing $version in a copy"
    write_stand_ins
    (
        make_copy
        PATH=$work/stand-ins:$PATH RELEASE_OWNER=somebody RELEASE_COMPRESSION=1 scripts/release.sh "$version"
        [ -z "$(git status --porcelain)" ] || fail "the release left changes."
        [ "$(git log -1 --format=%s)" = "Release $version" ] || fail "the release made no commit."
        [ "$(git cat-file -t "$version")" = tag ] || fail "the release made no tag."
        grep -q "^## $version ($(date -u +%Y)-" CHANGELOG.md || fail "the change log has no date."
        grep -q "github.com/somebody/ContextCore" Sources/StoreAdmin/NewPackage/PackageDependency.swift || fail "OWNER is left."
        ! PATH=$work/stand-ins:$PATH scripts/release.sh "$version" 2>"$work/again" || fail "the version was released twice."
        grep -q "is not newer than the last tag" "$work/again" || fail "the second release failed otherwise: $(cat "$work/again")"
    )
}

check_packages() {
    local folder=$work/copy/.build/release-files
    step "The packages"
    check_tarball "$folder"/storectl-*.tar.gz
    check_debian_package "$folder"/storectl_*.deb
    (cd "$folder" && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS is wrong."
    ! grep -n '@' "$folder/container/Dockerfile" || fail "the Dockerfile has the placeholders above."
    expect_files "$(find "$folder/container" -type f)" Dockerfile 'storectl_.*\.deb'
    [ -s "$folder/notes.md" ] || fail "the notes of the release are empty."
}

check_refusals
check_release
check_packages
echo "check-release.sh: the release and its packages are complete."
