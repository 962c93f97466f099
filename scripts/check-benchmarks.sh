#!/usr/bin/env bash
# Builds the benchmarks, runs every workload once, small, where both sides must come to the same, and counts what the hot
# loops take, which must not be more than Benchmarks/Thresholds.json says. Times nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

install_missing sqlite libpq postgres valgrind
step "Building the benchmarks"
# Not by SwiftPM's description of what was built there last: scripts/check-schedules.sh may have been at it.
build=(-c release --package-path Benchmarks --disable-build-manifest-caching)
swift_build "${build[@]}" --product storebench
program=$(swift_build "${build[@]}" --show-bin-path)/storebench
every=$("$program" workloads | paste -s -d , -)
for backend in sqlite memory postgres; do
    step "Workloads on $backend"
    "$program" --backend "$backend" --check --scale 0.01 --only "$every"
    step "Instructions on $backend"
    "$program" --backend "$backend" --instructions
done
printf '\n'
echo "check-benchmarks.sh: both sides of every workload did the same work, and no hot loop takes more than before."
