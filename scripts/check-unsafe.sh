#!/usr/bin/env bash
# Counts what switches a check of the compiler off (@unchecked Sendable, unsafeBitCast, as!, ...), and fails where no
# comment says why it is safe, at the end of the line or directly above it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

mapfile -t files < <(swift_files Package.swift Sources Examples)
"$(compiled_tool source-checks)" unsafe "${files[@]}" ||
    fail "an unsafe mark gives no reason."
