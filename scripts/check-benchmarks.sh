#!/usr/bin/env bash
# Builds the benchmarks, runs every workload once at a small scale, where both sides must have the same result, and counts the
# instructions of the hot loops, which must not exceed the limits in Benchmarks/Thresholds.json. Measures no time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

install_missing sqlite libpq postgres valgrind
step "Building the benchmarks"
# Without SwiftPM's cached build manifest, because scripts/check-schedules.sh may have built another product in this folder.
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
echo "check-benchmarks.sh: both sides of every workload did the same work, and no hot loop exceeds its limit."
