#!/usr/bin/env bash
# Builds the benchmarks and runs every workload once, small: both sides must come to the same. Times nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

install_missing sqlite libpq
step "Building the benchmarks"
swift_build -c release --package-path Benchmarks --product storebench
program=$(swift_build -c release --package-path Benchmarks --show-bin-path)/storebench
for backend in sqlite memory; do
    step "Workloads on $backend"
    "$program" --backend "$backend" --check --scale 0.01
done
printf '\n'
echo "check-benchmarks.sh: both sides of every workload did the same work."
