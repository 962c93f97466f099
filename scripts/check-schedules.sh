#!/usr/bin/env bash
# Runs the pipeline and a pool of connections in many schedules that seeds choose, over a store that fails now and then, and
# fails where a promise about order, or one of the pool's, is broken in one, or where a planted bug isn't found. A release build
# runs many times as many as the tests do.
#
#   scripts/check-schedules.sh [COUNT [FIRST]]
#
# A seed that it names is run again in the tests, which say more: STORE_ORDER_SEED=SEED STORE_ORDER_SEEDS=1 scripts/test
# --filter SeededOrderTests. RELEASE_SCRATCH names the folder of a release build to take part in.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

# Prints the cores that this process may run on, one a line; a dash for each where that can't be said.
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
[ "$count" -gt 0 ] || fail "COUNT has to be above 0."
build=(-c release --product ScheduleRunner --scratch-path "${RELEASE_SCRATCH:-.build}" --disable-build-manifest-caching)
step "Building the schedules"
swift_build "${build[@]}"
program=$(swift_build "${build[@]}" --show-bin-path)/ScheduleRunner

# A process a core, each on its own: to hand a turn to a thread on another core takes several times as long.
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
[ "$status" -eq 0 ] || fail "a promise is broken; the seeds are above."
echo "check-schedules.sh: in $((share * ${#cores[@]})) schedules every promise was kept."
