#!/usr/bin/env bash
# Runs a throw-away PostgreSQL server: data folder, port, password and socket folder are its own, never the
# machine's cluster. As root it runs the server as another user, because PostgreSQL refuses root.
#
#   scripts/postgres.sh exec [OPTION...] COMMAND...   runs COMMAND beside a server, then removes the server
#   scripts/postgres.sh start [OPTION...] FOLDER      starts a server in FOLDER and prints its environment
#   scripts/postgres.sh halt [--crash] FOLDER         stops the first server, and leaves its data
#   scripts/postgres.sh resume FOLDER                 starts it again, where it was
#   scripts/postgres.sh promote FOLDER                makes the standby the one that takes saves
#   scripts/postgres.sh stop FOLDER                   stops the server and removes FOLDER; safe to repeat
#   scripts/postgres.sh installed                     succeeds when the server's programs are on this machine
#
# The environment: STORE_TEST_POSTGRES_URL; with --replica STORE_TEST_POSTGRES_REPLICA_URL: a standby that streams from
# the first; with --pooler STORE_TEST_POSTGRES_POOLER_URL: PgBouncer, which gives each transaction another connection. With --citus
# the server is the coordinator of a Citus cluster with two workers, and distributes each schema; the extension has to be installed.
# With --durable the server waits for its disk, as one of production does. POSTGRES_BIN names the folder with the server's programs
# when it is an unusual one.
set -euo pipefail

script=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/$(basename "${BASH_SOURCE[0]}")
user=store_test
database=store_test

fail() {
    printf 'postgres.sh: %s\n' "$1" >&2
    exit 1
}

usage() {
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p;}' "$script" >&2
    exit 64
}

# Prints the folder that holds initdb and its siblings: the newest one installed.
find_programs() {
    local folder
    for folder in ${POSTGRES_BIN:-} \
        $(printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin | sort -rV) \
        $(dirname "$(command -v initdb || echo /nonexistent/initdb)"); do
        if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ]; then
            printf '%s\n' "$folder"
            return 0 # said outright: in a trap a bare return answers with the status from before the trap
        fi
    done
    return 1
}

# Prints whom the server runs as: the caller, or for root a user without privileges.
server_owner() {
    if [ "$(id -u)" -ne 0 ]; then
        id -un
    elif id postgres >/dev/null 2>&1; then
        echo postgres
    else
        echo nobody
    fi
}

# Runs a command as the server's owner, in a folder that every user may enter.
as_owner() {
    if [ "$(id -u)" -ne 0 ]; then
        (cd / && "$@")
    else
        (cd / && runuser -u "$(server_owner)" -- "$@")
    fi
}

# Prints a port that nobody answers on. Another program may still take it first, so the caller tries again.
free_port() {
    local port
    for _ in $(seq 50); do
        port=$((20000 + RANDOM % 30000))
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port"
            return 0
        fi
    done
    fail "found no free port."
}

url() {
    printf 'postgres://%s:%s@127.0.0.1:%s/%s\n' "$user" "$1" "$2" "$database"
}

# Closes what the caller has lent beside the three usual files: a server that kept it open would outlive the caller's wait
# for it.
close_inherited() {
    local number
    for number in {3..254}; do eval "exec $number>&-"; done
}

# Starts the server in folder $1 on a free port and prints the port.
run_server() {
    local folder=$1 port
    for _ in 1 2 3 4 5; do
        port=$(free_port)
        printf 'port = %s\n' "$port" | as_owner tee "$folder/data/port.conf" >/dev/null
        if as_owner "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 60 start \
            </dev/null >/dev/null 2>&1; then
            echo "$port"
            return 0
        fi
        grep -q 'could not bind' "$folder/log" || break
    done
    tail -n 20 "$folder/log" >&2
    fail "the server did not start; its log ends above."
}

# Succeeds when the server was built with ICU: without, its programs have the sentence that says so.
has_icu() {
    ! grep -qa 'ICU is not supported in this build' "$programs/initdb"
}

create_primary() {
    local folder=$1 password=$2 locale=(--locale=C)
    # Text sorted by language, so that a query that forgets to ask for the order of bytes fails a test here.
    # Servers older than 15, and those built without ICU, have only the orders of the system's library.
    if [ "$("$programs/pg_ctl" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')" -ge 15 ] && has_icu; then
        locale=(--locale=C --locale-provider=icu --icu-locale=und)
    fi
    as_owner mkdir -p "$folder/data"
    printf '%s\n' "$password" | as_owner tee "$folder/password" >/dev/null
    as_owner "$programs/initdb" -D "$folder/data" -U "$user" --pwfile="$folder/password" \
        --auth=scram-sha-256 --encoding=UTF8 "${locale[@]}" --no-sync >"$folder.initdb.log" 2>&1 ||
        { cat "$folder.initdb.log" >&2; fail "initdb failed; its words are above."; }
    # The server is thrown away with its data, so nothing waits for the disk.
    [ "$durable" = yes ] || printf '%s\n' 'fsync = off' 'full_page_writes = off' |
        as_owner tee -a "$folder/data/postgresql.conf" >/dev/null
    as_owner tee -a "$folder/data/postgresql.conf" >/dev/null <<SETTINGS
# Cases run side by side, each with stores of its own that have several connections. On a slow machine over 600 were wanted.
max_connections = 2000
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
include 'port.conf'
SETTINGS
}

create_replica() {
    local folder=$1 password=$2 primary_port=$3
    as_owner mkdir -p "$folder"
    PGPASSWORD=$password as_owner "$programs/pg_basebackup" -h 127.0.0.1 -p "$primary_port" -U "$user" \
        -D "$folder/data" -R -X stream -c fast --no-sync
    printf "unix_socket_directories = '%s'\n" "$folder" |
        as_owner tee -a "$folder/data/postgresql.conf" >/dev/null
}

# Starts PgBouncer in folder $1 before the server on port $3 and prints its port.
run_pooler() {
    local folder=$1 password=$2 server_port=$3 port
    as_owner mkdir -p "$folder"
    port=$(free_port)
    printf '"%s" "%s"\n' "$user" "$password" | as_owner tee "$folder/users" >/dev/null
    as_owner tee "$folder/pgbouncer.ini" >/dev/null <<SETTINGS
[databases]
$database = host=127.0.0.1 port=$server_port dbname=$database
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = scram-sha-256
auth_file = $folder/users
pool_mode = transaction
default_pool_size = 120
max_client_conn = 2000
logfile = $folder/log
pidfile = $folder/pid
SETTINGS
    as_owner "$(find_pooler)" -q -d "$folder/pgbouncer.ini" </dev/null >/dev/null 2>&1 ||
        fail "PgBouncer did not start; its words are in $folder/log."
    echo "$port"
}

# Succeeds when the server's programs come with the Citus extension.
has_citus() {
    [ -x "$programs/pg_config" ] && [ -e "$("$programs/pg_config" --pkglibdir)/citus.so" ]
}

# Runs SQL in database $1 of the server on port $2.
query() {
    PGPASSWORD=$password "$programs/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$2" -U "$user" -d "$1" -c "$3" >/dev/null
}

# Makes the server in folder $1 ready to be a node of a Citus cluster.
configure_citus() {
    as_owner tee -a "$1/data/postgresql.conf" >/dev/null <<'SETTINGS'
shared_preload_libraries = 'citus'
wal_level = logical
max_connections = 500
max_prepared_transactions = 500
citus.node_conninfo = 'sslmode=disable'
citus.enable_statistics_collection = off
SETTINGS
    # What a session sets on the coordinator must not rest on what a worker is set to.
    [ "$1" = "$folder/primary" ] || as_owner tee -a "$1/data/postgresql.conf" >/dev/null <<'SETTINGS'
timezone = 'Asia/Kathmandu'
datestyle = 'SQL, DMY'
extra_float_digits = 0
transform_null_equals = on
SETTINGS
}

# Starts the two workers, and adds them to the coordinator on port $1. Their name sorts after the coordinator's, on which Citus
# then locks tables first.
add_workers() {
    local coordinator_port=$1 name port
    query "$database" "$coordinator_port" 'CREATE EXTENSION citus'
    query "$database" "$coordinator_port" "SELECT citus_set_coordinator_host('127.0.0.1', $coordinator_port)"
    for name in worker-1 worker-2; do
        create_primary "$folder/$name" "$password"
        configure_citus "$folder/$name"
        port=$(run_server "$folder/$name")
        query postgres "$port" "CREATE DATABASE $database"
        query "$database" "$port" 'CREATE EXTENSION citus'
        query "$database" "$coordinator_port" "SELECT citus_add_node('localhost', $port)"
    done
    query "$database" "$coordinator_port" "ALTER DATABASE $database SET citus.enable_schema_based_sharding = on"
}

find_pooler() {
    command -v pgbouncer || { [ -x /usr/sbin/pgbouncer ] && echo /usr/sbin/pgbouncer; } ||
        fail "PgBouncer is not installed (apt install pgbouncer)."
}

start() {
    local folder=$1 replica=$2 pooler=$3 password primary_port replica_port pooler_port
    programs=$(find_programs) || fail "PostgreSQL's server is not installed (apt install postgresql)."
    mkdir -p "$folder"
    chmod 711 "$folder"
    [ "$(id -u)" -ne 0 ] || chown "$(server_owner)" "$folder"
    as_owner test -w "$folder" || fail "user $(server_owner) can't write in $folder."
    password=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')

    create_primary "$folder/primary" "$password"
    if [ "$citus" = yes ]; then
        has_citus || fail "the Citus extension is not installed beside $programs."
        configure_citus "$folder/primary"
        # The nodes' own passwords for each other.
        printf '*:*:*:%s:%s\n' "$user" "$password" | as_owner tee "$folder/primary/passwords" >/dev/null
        as_owner chmod 600 "$folder/primary/passwords"
        export PGPASSFILE=$folder/primary/passwords
    fi
    primary_port=$(run_server "$folder/primary")
    PGPASSWORD=$password as_owner "$programs/createdb" -h 127.0.0.1 -p "$primary_port" -U "$user" "$database"
    [ "$citus" = no ] || add_workers "$primary_port"
    unset PGPASSFILE
    echo "STORE_TEST_POSTGRES_URL=$(url "$password" "$primary_port")" >"$folder/environment"
    if [ "$replica" = yes ]; then
        create_replica "$folder/replica" "$password" "$primary_port"
        replica_port=$(run_server "$folder/replica")
        echo "STORE_TEST_POSTGRES_REPLICA_URL=$(url "$password" "$replica_port")" >>"$folder/environment"
    fi
    if [ "$pooler" = yes ]; then
        pooler_port=$(run_pooler "$folder/pooler" "$password" "$primary_port")
        echo "STORE_TEST_POSTGRES_POOLER_URL=$(url "$password" "$pooler_port")" >>"$folder/environment"
    fi
}

# Stops the first server in folder $1, in mode $2: fast, or immediate, which is a crash.
halt() {
    programs=$(find_programs)
    as_owner "$programs/pg_ctl" -D "$1/primary/data" -m "$2" -w stop >/dev/null
}

resume() {
    programs=$(find_programs)
    [ ! -f "$1/primary/passwords" ] || export PGPASSFILE=$1/primary/passwords
    as_owner "$programs/pg_ctl" -D "$1/primary/data" -l "$1/primary/log" -w -t 60 start </dev/null >/dev/null
}

promote() {
    programs=$(find_programs)
    as_owner "$programs/pg_ctl" -D "$1/replica/data" -w promote >/dev/null
}

stop() {
    local folder=$1 server
    [ -d "$folder" ] || return 0
    programs=$(find_programs)
    [ ! -f "$folder/pooler/pid" ] || as_owner kill -INT "$(cat "$folder/pooler/pid")" 2>/dev/null || true
    for server in "$folder/replica" "$folder/worker-1" "$folder/worker-2" "$folder/primary"; do
        [ ! -f "$server/data/postmaster.pid" ] ||
            as_owner "$programs/pg_ctl" -D "$server/data" -m immediate -w stop >/dev/null 2>&1 || true
    done
    rm -rf "$folder"
}

# Runs the command beside a server in a temporary folder. Whatever ends this script, the server goes with it: the
# exit trap removes it, and a watcher does when the script itself is killed outright.
run_beside() {
    local replica=$1 pooler=$2 status=0
    shift 2
    folder=$(mktemp -d -t store-test-postgres.XXXXXX)
    child=
    signalled=
    trap 'stop "$folder"' EXIT
    trap 'signalled=130; end_child' INT
    trap 'signalled=143; end_child' TERM HUP
    (
        trap '' INT TERM HUP
        while kill -0 $$ 2>/dev/null; do sleep 1; done
        "$script" stop "$folder"
    ) </dev/null >/dev/null 2>&1 &
    start "$folder" "$replica" "$pooler"
    set -a
    # shellcheck disable=SC1091
    . "$folder/environment"
    set +a
    [ -z "$signalled" ] || exit "$signalled"
    "$@" <&0 &
    child=$!
    wait "$child" || status=$?
    # The first wait ends when a signal comes; the second when the child, told to end, has ended.
    [ -z "$signalled" ] || wait "$child" || true
    exit "${signalled:-$status}"
}

end_child() {
    [ -z "$child" ] || kill -TERM "$child" 2>/dev/null || true
}

action=${1:-}
[ $# -eq 0 ] || shift
replica=no
pooler=no
durable=no
citus=no
while :; do
    case ${1:-} in
    --replica) replica=yes ;;
    --pooler) pooler=yes ;;
    --durable) durable=yes ;;
    --citus) citus=yes ;;
    *) break ;;
    esac
    shift
done
case $action in
exec)
    [ "${1:-}" != -- ] || shift
    [ $# -gt 0 ] || usage
    run_beside "$replica" "$pooler" "$@"
    ;;
start)
    [ $# -eq 1 ] || usage
    close_inherited
    start "$1" "$replica" "$pooler"
    cat "$1/environment"
    ;;
halt)
    mode=fast
    if [ "${1:-}" = --crash ]; then
        mode=immediate
        shift
    fi
    [ $# -eq 1 ] || usage
    halt "$1" "$mode"
    ;;
resume)
    [ $# -eq 1 ] || usage
    close_inherited
    resume "$1"
    ;;
promote)
    [ $# -eq 1 ] || usage
    promote "$1"
    ;;
installed)
    [ $# -eq 0 ] || usage
    find_programs >/dev/null
    ;;
stop)
    [ $# -eq 1 ] || usage
    stop "$1"
    ;;
*) usage ;;
esac
