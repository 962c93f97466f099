#!/usr/bin/env bash
# Runs the pipeline and a connection pool in many seeded schedules, over a store with injected failures, and
# fails if a schedule violates a guarantee about order or about the pool, or if a planted bug isn't found. A release build
# runs many more schedules than the tests do.
#
#   scripts/check-schedules.sh [COUNT [FIRST]]
#
# To run a failed seed again with more details: STORE_ORDER_SEED=SEED STORE_ORDER_SEEDS=1 scripts/test
# --filter SeededOrderTests. RELEASE_SCRATCH names the folder of an existing release build to reuse.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

# Prints the cores that this process may run on, one per line; prints a dash per core if taskset isn't available.
allowed_cores() {
    local mask
    if mask=$(taskset -cp $$ 2>/dev/null); then
        sed 's/.*: //; s/,/\n/g' <<<"$mask" | while IFS=- read -r low high; do seq "$low" "${high:-$low}"; done
    else
        yes - | head -n "$(getconf _NPROCESSORS_ONLN)"
    fi
}

# Runs a command on core $1.
on_core() {
    local core=$1
    shift
    if [ "$core" = - ]; then "$@"; else taskset -c "$core" "$@"; fi
}

count=${1:-100000}
first=${2:-1}
[ "$count" -gt 0 ] || fail "COUNT must be at least 1."
build=(-c release --product ScheduleRunner --scratch-path "${RELEASE_SCRATCH:-.build}" --disable-build-manifest-caching)
step "Building the schedules"
swift_build "${build[@]}"
program=$(swift_build "${build[@]}" --show-bin-path)/ScheduleRunner

# One pinned process per core: switching to a thread on another core takes several times as long.
step "Running $count schedules"
mapfile -t cores < <(allowed_cores)
share=$(((count + ${#cores[@]} - 1) / ${#cores[@]}))
running=()
trap '[ ${#running[@]} -eq 0 ] || kill "${running[@]}" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
for index in "${!cores[@]}"; do
    on_core "${cores[$index]}" "$program" $((first + index * share)) "$share" &
    running+=($!)
done
status=0
for child in "${running[@]}"; do wait "$child" || status=1; done
running=()
[ "$status" -eq 0 ] || fail "a guarantee was violated; the seeds are above."
echo "check-schedules.sh: all guarantees held in $((share * ${#cores[@]})) schedules."
