#!/usr/bin/env bash
# Fails if a file has more than 500 lines or a function more than 60. Only tables of constants may be exempt, with a
# line in size-exceptions.txt that gives the reason.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

mapfile -t files < <(swift_files)
"$(compiled_tool source-checks)" sizes scripts/support/size-exceptions.txt "${files[@]}" ||
    fail "a file or function is too long; split it by role, not by '+More'."
