#!/usr/bin/env bash
# Checks the shell of storectl with line editing, as a user at a terminal: typing, recalling, completing, cancelling.
#
#   scripts/check-shell.sh
#
# It builds storectl with the trait LineEditing in .build/line-editing, which takes minutes the first time; the check itself
# takes seconds. It needs tmux, which is the terminal.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

install_missing sqlite libpq libedit tmux less
step "Building storectl with the trait LineEditing"
scratch=.build/line-editing
swift_build --scratch-path "$scratch" --product storectl --traits SQLite,Postgres,LineEditing
storectl=$PWD/$scratch/debug/storectl
readelf -d "$storectl" | grep 'NEEDED.*libedit\.' >/dev/null || fail "storectl is not linked with libedit."

# The terminal and the editor take characters of several bytes.
export LC_ALL=C.UTF-8
work=$(mktemp -d)
socket=storectl-shell-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

# Types keys, as tmux names them: 'text' Enter C-c Tab.
keys() {
    tmux -L "$socket" send-keys -t shell "$@"
}

screen() {
    tmux -L "$socket" capture-pane -p -t shell
}

# Waits until the screen has a line that matches the regular expression $1.
expect() {
    local attempt
    for attempt in $(seq 100); do
        if grep -qE -- "$1" <<<"$(screen)"; then return 0; fi
        sleep 0.1
    done
    screen >&2
    fail "the screen has no line that matches: $1"
}

# Clears the screen, so that the next expectation can't match an earlier line.
clear_screen() {
    keys C-l
    sleep 0.1
}

step "Starting the shell"
cat >"$work/V1.json" <<'MODEL'
{"entities":{"Game":{"attributes":{"over":{"type":"bool"},"title":{"type":"string"}},
"relationships":{"players":{"inverse":"game","to":"Player","toMany":true}}},
"Player":{"attributes":{"name":{"type":"string"},"score":{"type":"int64"}},
"relationships":{"game":{"inverse":"players","optional":true,"to":"Game"}}}},"format":1}
MODEL
(
    cd "$work"
    "$storectl" db create --model V1.json -s sqlite:games.sqlite >/dev/null
    for number in $(seq 60); do
        printf '{"entity":"Player","id":%s,"to":{},"values":{"name":"Player %s","score":%s},"version":1}\n' \
            "$number" "$number" "$number"
    done >objects.jsonl
    { printf '{"model":%s,"schema":"storectl.export/1"}\n' "$(tr -d '\n' <V1.json)"; cat objects.jsonl; } >all.jsonl
    "$storectl" data import all.jsonl -s sqlite:more.sqlite >/dev/null
)
cat >"$work/storectl.json" <<'CONFIGURATION'
{"default": "games", "stores": {"games": "sqlite:games.sqlite", "live": {"url": "sqlite:games.sqlite?mode=ro", "production": true}}}
CONFIGURATION
tmux -L "$socket" -f /dev/null new-session -d -s shell -x 100 -y 30 -c "$work" \
    env -u STORECTL_HISTORY -u XDG_STATE_HOME -u STORECTL_URL -u STORECTL_STORE -u DATABASE_URL HOME="$work" TERM=screen PAGER=less LESS=FRX EDITOR=true \
    bash --norc
keys "'$storectl' shell -s sqlite:more.sqlite" Enter
expect '^more\.sqlite=> *$'

step "Editing"
keys '\count Plyaer' Left Left Left BSpace Right 'y' Enter
expect '^60$'
clear_screen
# A character of several bytes is one character to the editor.
keys 'Player where name == "ü"' Left BSpace 'Player 7' Right Enter
expect 'Player 7 '

step "Recalling"
clear_screen
keys Up Up Enter
expect '^60$'
clear_screen
keys C-r 'name ==' Enter
expect 'Player 7 '

step "Completing"
clear_screen
keys 'pl' Tab 'wh' Tab 'sc' Tab '> 59' Enter
expect '^more\.sqlite=> Player where score > 59$'
expect 'Player 60 '
clear_screen
keys 'Player where game.' Tab
expect '^over +players +title'
keys 'o' Tab '== ' Tab
expect '^true +false'
keys 'fa' Tab 'limit 5' Enter
expect '^no objects'
clear_screen
keys '\d' Tab
expect '^\\d +\\di +\\dr +\\dt'
keys C-c

step "Continuing and discarding"
clear_screen
keys 'Player where (' Enter
expect '^more\.sqlite\(> *$'
keys 'score == 3' Enter ')' Enter
expect 'Player 3 '
clear_screen
keys Up
expect '^score == 3$'
keys C-c
expect '\^C$'
clear_screen
keys 'Player where name == "' Enter
expect '^more\.sqlite"> *$'
keys 'abc' C-c
expect '^more\.sqlite=> *$'

step "Cancelling"
clear_screen
keys '\sql WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n' Enter
sleep 0.5
keys C-c
expect '^cancelled$'
keys '\count Player' Enter
expect '^60$'

step "Paging"
clear_screen
keys 'Player order by score' Enter
expect '^:'
keys q
expect '^more\.sqlite=> *$'

step "Changing the store"
clear_screen
keys '\c li' Tab Enter
expect '^live \[production, read-only\]=> *$'
keys '\count Player' Enter
expect '^0$'

step "Ending and continuing"
keys C-d
expect '^bash'
[ "$(stat -c %a "$work/.local/state/storectl/history")" = 600 ] || fail "other users can read the history."
clear_screen
keys "'$storectl' shell" Enter
expect '^games \[production\]=> *$'
keys Up Enter
expect '^0$'
keys C-d
printf '\n'
echo "check-shell.sh: the shell edits, recalls, completes, cancels, and ends."
