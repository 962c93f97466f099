#!/usr/bin/env bash
# Draws docs/images/benchmarks.svg, the chart in the README, from the table "The chart" in Benchmarks/README.md.
#
#   scripts/charts.sh
#   scripts/charts.sh --check    # draws nothing; fails if the image differs from the table
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

image=docs/images/benchmarks.svg

# Prints the rows of the table as "work|SQLite|PostgreSQL".
figures() {
    LC_ALL=C awk -F ' *[|] *' '
        /^## / { inside = ($0 == "## The chart") }
        inside && NF == 6 && $4 ~ /^[0-9]+\.[0-9][0-9]$/ && $5 ~ /^[0-9]+\.[0-9][0-9]$/ { print $3 "|" $4 "|" $5 }
    ' Benchmarks/README.md
}

# Draws the rows of standard input: two bars each, on a scale from 0 to 2.5, with a line at 1.
draw() {
    LC_ALL=C awk -F '|' -v left=300 -v unit=170 -v row=48 -v top=78 '
        { work[NR] = $1; ratios[NR, 1] = $2; ratios[NR, 2] = $3 }
        function bar(class, ratio, y,    x) {
            printf "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" rx=\"2\"/>", class, left, y, ratio * unit
            # Not across the line at 1.
            x = left + ratio * unit + 6
            if (x < left + unit && x + 30 > left + unit) x = left + unit + 6
            printf "<text class=\"value\" x=\"%.1f\" y=\"%d\">%s</text>\n", x, y + 12, ratio
        }
        function key(class, name, x) {
            printf "<rect class=\"%s\" x=\"%d\" y=\"42\" width=\"12\" height=\"12\" rx=\"2\"/>", class, x
            printf "<text class=\"value\" x=\"%d\" y=\"52\">%s</text>\n", x + 18, name
        }
        END {
            height = top + NR * row + 12
            printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 %d\" width=\"760\" height=\"%d\" role=\"img\">\n", height, height
            print "<title>The time of the object graph as a multiple of C</title>"
            print "<style>"
            print "svg { background: #ffffff; font: 13px system-ui, -apple-system, \"Segoe UI\", Helvetica, Arial, sans-serif; }"
            print "text { fill: #0f172a; } .title { font-weight: 600; font-size: 15px; } .work { text-anchor: end; }"
            print ".value, .unit { fill: #475569; font-size: 12px; } .unit { text-anchor: middle; }"
            print ".sqlite { fill: #2563eb; } .postgres { fill: #b45309; } .one { stroke: #0f172a; stroke-dasharray: 4 3; }"
            print "@media (prefers-color-scheme: dark) {"
            print "svg { background: #0f172a; } text { fill: #e2e8f0; } .value, .unit { fill: #94a3b8; }"
            print ".sqlite { fill: #60a5fa; } .postgres { fill: #f59e0b; } .one { stroke: #e2e8f0; }"
            print "}"
            print "</style>"
            print "<text class=\"title\" x=\"20\" y=\"28\">Time as a multiple of the same work in C: shorter is better</text>"
            key("sqlite", "SQLite", 20)
            key("postgres", "PostgreSQL", 100)
            printf "<text class=\"unit\" x=\"%d\" y=\"%d\">C = 1</text>\n", left + unit, top - 12
            for (i = 1; i <= NR; i++) {
                y = top + (i - 1) * row
                printf "<text class=\"work\" x=\"%d\" y=\"%d\">%s</text>\n", left - 12, y + 22, work[i]
                bar("sqlite", ratios[i, 1], y)
                bar("postgres", ratios[i, 2], y + 18)
            }
            printf "<line class=\"one\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", left + unit, top - 6, left + unit, height - 8
            print "</svg>"
        }'
}

[ -n "$(figures)" ] || fail "Benchmarks/README.md has no table of figures below '## The chart'."
if [ "${1:-}" = --check ]; then
    diff <(figures | draw) "$image" >/dev/null || fail "$image differs from Benchmarks/README.md: run scripts/charts.sh."
else
    mkdir -p "$(dirname "$image")"
    figures | draw >"$image"
    echo "charts.sh: $image has $(figures | wc -l) workloads."
fi
