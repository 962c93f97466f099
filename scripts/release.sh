#!/usr/bin/env bash
# Makes a release: checks that the tree is ready, writes its version and date, builds and packages storectl, commits and tags.
# It pushes nothing: its last line is the command that publishes the release.
#
#   scripts/release.sh [--dry-run] VERSION
#   scripts/release.sh --package-only BINARY FOLDER
#
# With --dry-run it checks, changes nothing, and prints what it would run. The second form only packages a storectl that is
# already built: a tarball with its libraries, a Debian package, the context of a container image, and checksums.
# CONTRIBUTING.md describes a release under "Releasing".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh
. scripts/support/packaging.sh

# The account or organization of the repository on GitHub. A release writes it in place of the placeholder OWNER in all files.
owner=${RELEASE_OWNER:-}
# The maintainer of the Debian package.
maintainer=${RELEASE_MAINTAINER:-$(git config user.name || true) <$(git config user.email || true)>}
# How much the packages are compressed, from 1 to 9; the check of this script is in a hurry.
compression=${RELEASE_COMPRESSION:-9}
# Where the release's files are made.
output=.build/release-files

version_file=Sources/StoreAdmin/StoreAdmin.swift
placeholders='github\.com/OWNER/|ghcr\.io/OWNER/|OWNER\.github\.io'
dry=
problems=0

usage() {
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p;}' "${BASH_SOURCE[0]}" >&2
    exit 64
}

# Runs a command; with --dry-run, prints it.
run() {
    if [ -n "$dry" ]; then
        printf '+'
        printf ' %q' "$@"
        echo
    else
        "$@"
    fi
}

# Reports a reason against the release.
report_problem() {
    printf 'release.sh: %s\n' "$1" >&2
    problems=$((problems + 1))
}

check_version() {
    # They would be ordered after their release, and published as the latest version.
    [[ $version != *-* ]] || fail "$version is a pre-release version, which releases don't support."
    [[ $version =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] ||
        fail "$version is not a semantic version, such as 0.2.0."
    local newest
    newest=$(git tag --list '[0-9]*' | sort -V | tail -n 1)
    [ -z "$newest" ] || [ "$(printf '%s\n%s\n' "$newest" "$version" | sort -V | tail -n 1)" != "$newest" ] ||
        report_problem "$version is not newer than the last tag, $newest."
}

check_tree() {
    [ -z "$(git status --porcelain)" ] || report_problem "the work tree has changes. Commit or remove them."
    [ "$(git branch --show-current)" = main ] || report_problem "the branch is not main."
}

# Checks that every workflow of continuous integration has passed for this commit.
check_ci() {
    local results
    command -v gh >/dev/null || { report_problem "gh is not installed, so the state of CI is unknown."; return; }
    results=$(gh run list --commit "$(git rev-parse HEAD)" --json workflowName,status,conclusion \
        --jq '.[] | "\(.workflowName): \(.conclusion // .status)"') || { report_problem "gh can't read the state of CI."; return; }
    grep -q '^CI: ' <<<"$results" || report_problem "CI has not run for this commit. Push it, and wait for CI."
    ! grep -vE ': (success|skipped)$' <<<"$results" || report_problem "the runs listed above have not passed."
}

# Checks the texts that people write for each release.
check_texts() {
    local heading
    heading=$(grep -m 1 '^## ' CHANGELOG.md)
    [ "$heading" = "## $version (unreleased)" ] ||
        report_problem "the first section of CHANGELOG.md is \"$heading\" instead of \"## $version (unreleased)\"."
    ! grep -nE 'not released yet|[Ff]rom the first release' README.md Sources/*/*.docc/*.md ||
        report_problem "the lines above say that there is no release. Rewrite them."
    [ -n "$owner" ] || ! git grep -qE "$placeholders" -- ':!scripts/release.sh' ||
        report_problem "files still have the placeholder OWNER. Set 'owner' in scripts/release.sh, or RELEASE_OWNER."
}

# Prints the files that name the version, besides the one that defines it.
files_with_version() {
    git grep -lF "from: \"$(package_version)\"" -- ':!scripts' ':!Tests'
}

# Writes the version and the date, and replaces OWNER.
write_texts() {
    local files
    mapfile -t files < <(files_with_version)
    [ ${#files[@]} -eq 0 ] || run sed -i "s/from: \"$(package_version)\"/from: \"$version\"/" "${files[@]}"
    run sed -i "s/packageVersion = \"[^\"]*\"/packageVersion = \"$version\"/" "$version_file"
    run sed -i "s/^## $version (unreleased)\$/## $version ($(date -u +%F))/" CHANGELOG.md
    [ -n "$owner" ] || return 0
    mapfile -t files < <(git grep -lE "$placeholders" -- ':!scripts/release.sh')
    [ ${#files[@]} -eq 0 ] ||
        run sed -i "s|github\.com/OWNER/|github.com/$owner/|g; s|ghcr\.io/OWNER/|ghcr.io/${owner,,}/|g; s|OWNER\.github\.io|$owner.github.io|g" \
            "${files[@]}"
}

make_release() {
    version=$1
    check_version
    step "Checking"
    check_tree
    check_ci
    check_texts
    [ -n "$dry" ] || [ "$problems" -eq 0 ] || fail "the release was not made, for the $problems reasons above."
    step "Version $version"
    # Whatever fails from here on, 'git checkout .' restores the files.
    write_texts
    step "Building"
    run swift_build -c release --product storectl --static-swift-stdlib
    step "Packaging"
    run package_all .build/release/storectl "$output"
    step "Tagging"
    run git commit --quiet --all --message "Release $version"
    run git tag --annotate --message "ContextCore $version" "$version"
    printf '\nThe packages for this processor are in %s. To publish the release:\n  git push origin main %s\n' "$output" "$version"
    [ "$problems" -eq 0 ] || fail "a release would be refused, for the $problems reasons above."
}

case "${1:-}" in
--package-only)
    [ $# -eq 3 ] || usage
    package_all "$2" "$3"
    ;;
--dry-run)
    [ $# -eq 2 ] || usage
    dry=yes
    make_release "$2"
    ;;
-* | '') usage ;;
*)
    [ $# -eq 1 ] || usage
    make_release "$1"
    ;;
esac
