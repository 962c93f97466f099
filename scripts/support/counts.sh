#!/usr/bin/env bash
# Prints the counts of the tests in the reports (*.xml) that `swift test` left in folder $1: "12 passed, 0 failed, 1 skipped".
# A test with arguments counts once, however many of its cases fail and however many issues each records. Issues outside
# of tests, such as one on a thread that a test started, are counted separately.
set -euo pipefail
shopt -s nullglob

cat /dev/null "$1"/*.xml | awk '
    # Names in a report are not escaped, but each element begins a line.
    function finish() { if (inside) { if (skips) skipped++; else if (fails) failed++; else passed++ } inside = 0 }
    function number(key) { return match($0, " " key "=\"[0-9]+\"") ? substr($0, RSTART + length(key) + 3) + 0 : 0 }
    /^ *<testsuite / { issues += number("failures") + number("errors") }
    /^ *<testcase / { finish(); inside = 1; fails = skips = 0 }
    /^ *<(failure|error)[ >]/ { fails++; reported++ }
    /^ *<skipped/ { skips++ }
    END {
        finish()
        printf "%d passed, %d failed, %d skipped", passed, failed, skipped
        if (issues > reported) printf ", %d issues outside of tests", issues - reported
        print ""
    }'
