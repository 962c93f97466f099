#!/usr/bin/env bash
# Checks the command studio of storectl over its socket, as its page, other pages and hostile programs use it, and its page in headless
# Chromium, over stores in files and on a temporary PostgreSQL server, or on the one that STORE_TEST_POSTGRES_URL names.
#
#   scripts/check-studio.sh
#   scripts/check-studio.sh --filter ForeignRequestTests
#
# It builds storectl with the trait Studio in .build/studio, which takes minutes the first time, and the tests in the usual folder. Its
# arguments go to `swift test`, in place of `--filter StudioTests`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

doing="installing missing packages"
say_when_stopped scripts/check-studio.sh
needs=(sqlite libpq microhttpd chromium chromedriver)
beside=()
if [ -z "${STORE_TEST_POSTGRES_URL:-}" ]; then
    needs+=(postgres)
    beside=(scripts/postgres.sh exec)
fi
install_missing "${needs[@]}"

doing="building storectl with the trait Studio"
step "Building storectl with the trait Studio"
scratch=.build/studio
swift_build --scratch-path "$scratch" --product storectl --traits SQLite,Postgres,Studio
storectl=$PWD/$scratch/debug/storectl
readelf -d "$storectl" | grep 'NEEDED.*libmicrohttpd\.' >/dev/null || fail "storectl is not linked with libmicrohttpd."

doing="building the tests"
step "Building the tests"
swift_build --build-tests

doing="testing"
step "Testing the studio"
[ $# -gt 0 ] || set -- --filter StudioTests
# With few at once, because some tests measure how fast a request is answered while others are hostile.
STORE_TEST_STUDIO=$storectl STORE_TEST_STUDIO_BROWSER=1 STORE_REQUIRE_POSTGRES=1 SWIFT_DETERMINISTIC_HASHING=1 \
    "${beside[@]}" swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width 2 "$@"
verdict=1
printf '\n'
echo "check-studio.sh: the studio answers its own page, and nothing else; the page works in a browser."
