#!/usr/bin/env bash
# Counts the constructs that disable a check of the compiler (@unchecked Sendable, unsafeBitCast, as!, ...), and fails if
# one has no comment that says why it is safe, at the end of the line or directly above it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

mapfile -t files < <(swift_files Package.swift Sources Examples)
"$(compiled_tool source-checks)" unsafe "${files[@]}" ||
    fail "an unsafe construct has no reason beside it."
