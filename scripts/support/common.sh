# Functions shared by the scripts: progress lines, builds, and installation of missing packages. Sourced, not run.
# shellcheck shell=bash

# Builds with deterministic hashing: SwiftPM up to 6.3 orders the `-D` flags of two traits by a hash that changes from
# run to run, and then rebuilds everything (swiftlang/swift-package-manager#10525).
swift_build() {
    SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"
}

# The build folder of packages that depend on this one, so that this package is built for them once. CI sets
# CONSUMERS_SCRATCH to this package's own build folder, so nothing is built again.
consumers_scratch=${CONSUMERS_SCRATCH:-.build/consumers}

# Builds, runs or tests ('$1') a package that depends on this one; the other arguments go to SwiftPM. It disables SwiftPM's
# cached build manifest, because the last build in the folder may have been of another package.
swift_consumer() {
    local command=$1
    shift
    SWIFT_DETERMINISTIC_HASHING=1 swift "$command" --scratch-path "$consumers_scratch" \
        --disable-build-manifest-caching "$@"
}

step() {
    printf '\n==> %s\n' "$1"
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Prints the Debian package of each missing dependency in $@: sqlite, libpq, libedit, openssl, valgrind, postgres, patchelf,
# packaging, python, chromium, chromedriver, microhttpd, tmux, less.
missing_packages() {
    local thing
    command -v pkg-config >/dev/null || echo pkg-config
    for thing in "$@"; do
        case $thing in
        sqlite) pkg-config --exists sqlite3 2>/dev/null || echo libsqlite3-dev ;;
        libpq) pkg-config --exists libpq 2>/dev/null || echo libpq-dev ;;
        libedit) pkg-config --exists libedit 2>/dev/null || echo libedit-dev ;;
        openssl) command -v openssl >/dev/null || echo openssl ;;
        valgrind) command -v valgrind >/dev/null || echo valgrind ;;
        patchelf) command -v patchelf >/dev/null || echo patchelf ;;
        packaging)
            command -v dpkg-shlibdeps >/dev/null || echo dpkg-dev
            command -v strip >/dev/null || echo binutils
            ;;
        python) command -v python3 >/dev/null || echo python3 ;;
        chromium) command -v chromium >/dev/null || echo chromium ;;
        chromedriver) command -v chromedriver >/dev/null || echo chromium-driver ;;
        microhttpd) pkg-config --exists libmicrohttpd 2>/dev/null || echo libmicrohttpd-dev ;;
        tmux) command -v tmux >/dev/null || echo tmux ;;
        less) command -v less >/dev/null || echo less ;;
        postgres) "$(dirname "${BASH_SOURCE[0]}")/../postgres.sh" installed || echo postgresql ;;
        esac
    done
}

# Fills the array width with the arguments that limit how many tests run at once: STORE_TEST_WIDTH, or else 12.
#
# Many tests block a thread, of which there are only as many as cores: with 64 at once, tests with a time limit waited for
# one until it had passed. Foundation also reads past its buffer, and may crash, if it starts a process while well over
# a thousand files are open; and a server may have 200 connections, or fewer.
choose_width() {
    local at_once=--experimental-maximum-parallelization-width help
    width=()
    # Read to its end: 'grep -q' would stop at the first match, and the command before it could then fail because of the closed pipe.
    help=$(swift test --help-hidden 2>/dev/null) || true
    case $help in *"$at_once"*) width=("$at_once" "${STORE_TEST_WIDTH:-12}") ;; esac
}

# Installs the missing dependencies of $@ on Debian and Ubuntu; on other systems, fails and lists them.
install_missing() {
    local packages log
    command -v swift >/dev/null || fail "Swift is not on the PATH. Install it from https://www.swift.org/install."
    mapfile -t packages < <(missing_packages "$@")
    [ ${#packages[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || fail "install these packages first (Debian's names): ${packages[*]}"
    # Checked here, because the output of the following commands goes to a log.
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
        fail "run as root, or install sudo: apt-get install ${packages[*]}"
    step "Installing ${packages[*]}"
    log=$(mktemp)
    if ! { as_root apt-get -q update && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y --no-install-recommends install "${packages[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "apt-get failed; the end of its output is above."
    fi
    rm -f "$log"
}

# Prints the folder of the toolchain that `swift` runs, which may differ from the location of the command.
toolchain() {
    local resources
    resources=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\([^"]*\)".*/\1/p')
    (cd "$resources/../.." && pwd)
}

# Makes the script $1 print a last line if a step fails: "$1: stopped while $doing."
say_when_stopped() {
    local script=$1
    trap 'code=$?; [ "$code" -eq 0 ] || [ -n "${verdict:-}" ] || echo "'"$script"': stopped while $doing." >&2' EXIT
}

# Compiles scripts/support/$1.swift, which may use the toolchain's SwiftSyntax, if it changed; prints the path of the program.
compiled_tool() {
    local source program host
    source=scripts/support/$1.swift
    program=.build/scripts/$1
    if [ ! -x "$program" ] || [ "$source" -nt "$program" ]; then
        host=$(toolchain)/lib/swift/host
        mkdir -p .build/scripts
        swiftc -swift-version 6 -I "$host" -L "$host" -Xlinker -rpath -Xlinker "$host" \
            -lSwiftSyntax -lSwiftParser "$source" -o "$program" >&2
    fi
    echo "$program"
}

# Prints the version of this package, which Sources/StoreAdmin/StoreAdmin.swift defines.
package_version() {
    sed -n 's/.*packageVersion = "\([^"]*\)".*/\1/p' Sources/StoreAdmin/StoreAdmin.swift
}

# Prints every Swift file of the project, tracked or new.
swift_files() {
    git ls-files -co --exclude-standard -- "$@" | grep '\.swift$' | while IFS= read -r file; do
        [ ! -f "$file" ] || printf '%s\n' "$file"
    done
}
