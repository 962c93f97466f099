#!/usr/bin/env bash
# Builds storectl as one static file, with the static Linux SDK of the toolchain's version, which it installs if it is missing. The file
# runs on any Linux of this processor. It has only the SQLite backend: the SDK has no libpq.
#
#   scripts/static-storectl.sh LIBRARY FILE
#
# The folder LIBRARY has include/sqlite3.h and lib/libsqlite3.a, built for Musl, as in Alpine's packages sqlite-dev and sqlite-static.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

[ $# -eq 2 ] || fail "which folder, and which file? See the first lines of this script."
library=$(realpath "$1")
file=$2
for needed in include/sqlite3.h lib/libsqlite3.a; do
    [ -f "$library/$needed" ] || fail "$library has no $needed."
done

# Prints the checksum and the version of the SDK for release $1 of Swift, which swift.org publishes.
sdk_of_release() {
    curl -fsSL https://www.swift.org/api/v1/install/releases.json | python3 -c '
import json, sys
for release in json.load(sys.stdin):
    for platform in release["platforms"]:
        if release["tag"] == sys.argv[1] and platform.get("platform") == "static-sdk":
            print(platform["checksum"], platform.get("version", "0.0.1"))
' "$1"
}

install_sdk() {
    local release checksum sdk_version name
    release=$(swift --version 2>/dev/null | sed -n 's/.*(\(swift-[0-9.]*-RELEASE\)).*/\1/p')
    [ -n "$release" ] || fail "the toolchain is no release, so it has no static Linux SDK of its own."
    ! swift sdk list | grep "^${release}_static-linux" >/dev/null || return 0
    step "Installing the static Linux SDK of $release"
    read -r checksum sdk_version < <(sdk_of_release "$release") || fail "swift.org lists no static Linux SDK of $release."
    name=${release}_static-linux-$sdk_version.artifactbundle.tar.gz
    swift sdk install --checksum "$checksum" \
        "https://download.swift.org/$(tr '[:upper:]' '[:lower:]' <<<"$release")/static-sdk/$release/$name"
}

install_sdk
step "Building"
# The description that pkg-config finds first, so that the build doesn't use this machine's SQLite.
description=$(mktemp -d)
trap 'rm -rf "$description"' EXIT
printf 'Name: sqlite3\nDescription: SQLite for Musl\nVersion: 3\nCflags: -I%s\nLibs: -L%s -lsqlite3\n' \
    "$library/include" "$library/lib" >"$description/sqlite3.pc"
PKG_CONFIG_PATH=$description swift_build -c release --product storectl --swift-sdk "$(uname -m)-swift-linux-musl" \
    --scratch-path .build/static --traits SQLite \
    -Xcc "-I$library/include" -Xlinker "-L$library/lib"
cp ".build/static/$(uname -m)-swift-linux-musl/release/storectl" "$file"
! readelf --dynamic "$file" 2>/dev/null | grep NEEDED || fail "$file still needs the libraries above."
"$file" version
echo "static-storectl.sh: $file is complete."
