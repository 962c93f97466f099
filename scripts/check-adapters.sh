#!/usr/bin/env bash
# Tests the adapters of StoreObservability with swift-log, swift-metrics, swift-distributed-tracing and swift-service-lifecycle, which
# SwiftPM fetches. So this check isn't part of .ci/run, which works offline.
#
#   scripts/check-adapters.sh [FLAG...]
#
# The flags go to SwiftPM: `--config-path FOLDER` names a folder with the addresses of mirrors (mirrors.json).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

package=(--package-path Tests/Adapters)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_missing sqlite
step "Building the adapters with the packages that they adapt to"
swift_build --build-tests "${package[@]}" "$@" 2>&1 | tee "$log"
# A warning in a fetched package isn't ours; SwiftPM doesn't print those.
! grep -E "^$PWD/.*warning: " "$log" || fail "an adapter compiles with a warning; a warning is an error here."
step "Testing the adapters"
SWIFT_DETERMINISTIC_HASHING=1 swift test --skip-build --disable-xctest "${package[@]}" "$@"
printf '\n'
echo "check-adapters.sh: every adapter works with the package that it adapts to."
