#!/usr/bin/env bash
# Runs a temporary PostgreSQL server with its own data folder, port, password and socket folder, separate from the
# machine's cluster. As root, it runs the server as another user, because PostgreSQL refuses to run as root.
#
#   scripts/postgres.sh exec [OPTION...] COMMAND...   runs COMMAND with a server, then removes the server
#   scripts/postgres.sh start [OPTION...] FOLDER      starts a server in FOLDER and prints its environment
#   scripts/postgres.sh halt [--crash] FOLDER         stops the primary and keeps its data
#   scripts/postgres.sh resume FOLDER                 starts the primary again on the same port
#   scripts/postgres.sh promote FOLDER                promotes the standby to primary
#   scripts/postgres.sh stop FOLDER                   stops the servers and removes FOLDER; safe to repeat
#   scripts/postgres.sh installed                     succeeds if the server's programs are installed
#
# The environment has STORE_TEST_POSTGRES_URL; with --replica, STORE_TEST_POSTGRES_REPLICA_URL: a streaming standby of the primary;
# with --pooler, STORE_TEST_POSTGRES_POOLER_URL: PgBouncer with transaction pooling. With --citus, the server is the coordinator of
# a Citus cluster with two workers and schema-based sharding; the extension must be installed.
# With --durable, the server syncs to its disk, as in production. POSTGRES_BIN names the folder of the server's programs
# if it is not a usual one.
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

# Prints the folder of initdb and the other programs: the newest installed version.
find_programs() {
    local folder
    for folder in ${POSTGRES_BIN:-} \
        $(printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin | sort -rV) \
        $(dirname "$(command -v initdb || echo /nonexistent/initdb)"); do
        if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ]; then
            printf '%s\n' "$folder"
            return 0 # explicit, because within a trap a bare return has the status from before the trap
        fi
    done
    return 1
}

# Prints the user that runs the server: the caller, or for root an unprivileged user.
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

# Prints a port without a listener. Another program may still bind it first, so the caller tries again.
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

# Closes inherited file descriptors from 3 on: if the server kept one open, a caller that waits for its end would wait for
# the server.
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

# Succeeds if the server was built with ICU: otherwise its programs contain the error message about that.
has_icu() {
    ! grep -qa 'ICU is not supported in this build' "$programs/initdb"
}

create_primary() {
    local folder=$1 password=$2 locale=(--locale=C)
    # A linguistic collation, so that a query that doesn't request byte order fails a test here.
    # Servers older than 15, and those built without ICU, have only the collations of the C library.
    if [ "$("$programs/pg_ctl" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')" -ge 15 ] && has_icu; then
        locale=(--locale=C --locale-provider=icu --icu-locale=und)
    fi
    as_owner mkdir -p "$folder/data"
    printf '%s\n' "$password" | as_owner tee "$folder/password" >/dev/null
    as_owner "$programs/initdb" -D "$folder/data" -U "$user" --pwfile="$folder/password" \
        --auth=scram-sha-256 --encoding=UTF8 "${locale[@]}" --no-sync >"$folder.initdb.log" 2>&1 ||
        { cat "$folder.initdb.log" >&2; fail "initdb failed; its output is above."; }
    # The data is temporary, so the server doesn't sync to the disk.
    [ "$durable" = yes ] || printf '%s\n' 'fsync = off' 'full_page_writes = off' |
        as_owner tee -a "$folder/data/postgresql.conf" >/dev/null
    as_owner tee -a "$folder/data/postgresql.conf" >/dev/null <<SETTINGS
# Tests run concurrently, each with its own stores that have several connections. On a slow machine they used over 600.
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

# Starts PgBouncer in folder $1 for the server on port $3 and prints its port.
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
        fail "PgBouncer did not start; its log is $folder/log."
    echo "$port"
}

# Succeeds if the Citus extension is installed for the server's programs.
has_citus() {
    [ -x "$programs/pg_config" ] && [ -e "$("$programs/pg_config" --pkglibdir)/citus.so" ]
}

# Runs SQL in database $1 of the server on port $2.
query() {
    PGPASSWORD=$password "$programs/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$2" -U "$user" -d "$1" -c "$3" >/dev/null
}

# Configures the server in folder $1 as a node of a Citus cluster.
configure_citus() {
    as_owner tee -a "$1/data/postgresql.conf" >/dev/null <<'SETTINGS'
shared_preload_libraries = 'citus'
wal_level = logical
max_connections = 500
max_prepared_transactions = 500
citus.node_conninfo = 'sslmode=disable'
citus.enable_statistics_collection = off
SETTINGS
    # Different settings on workers, so that tests fail if a session's settings on the coordinator don't reach them.
    [ "$1" = "$folder/primary" ] || as_owner tee -a "$1/data/postgresql.conf" >/dev/null <<'SETTINGS'
timezone = 'Asia/Kathmandu'
datestyle = 'SQL, DMY'
extra_float_digits = 0
transform_null_equals = on
SETTINGS
}

# Starts the two workers and adds them to the coordinator on port $1. Their name sorts after the coordinator's, so Citus
# locks tables on the coordinator first.
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
        # The passwords that the nodes use for each other.
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

# Stops the primary in folder $1 in mode $2: fast, or immediate, which simulates a crash.
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

# Runs the command with a server in a temporary folder. The server is removed when this script ends: by the
# exit trap, or by a watcher if the script itself is killed with SIGKILL.
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
    # A signal ends the first wait; the second ends when the child has terminated.
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
