#!/usr/bin/env bash
# Formats every Swift file in place. With --check, changes nothing and fails if a file would change.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

mapfile -t files < <(swift_files)
case ${1:-} in
--check) swift format lint --strict --parallel "${files[@]}" && echo "format.sh: ${#files[@]} files are well formatted." ;;
"") swift format --in-place --parallel "${files[@]}" && echo "format.sh: formatted ${#files[@]} files." ;;
*) fail "unknown option; the only option is --check." ;;
esac
