# Functions that package a built storectl: a tarball, a Debian package, and the context of a container image. Sourced by
# scripts/release.sh, which sets `maintainer` and `compression`.
# shellcheck shell=bash

# Makes all packages of program $1 in folder $2, and checks them.
package_all() {
    local program folder version architecture work
    [ -x "$1" ] || fail "$1 is not a program."
    install_missing patchelf packaging
    program=$(realpath "$1")
    mkdir -p "$2"
    folder=$(realpath "$2")
    version=$(package_version)
    architecture=$(dpkg --print-architecture)
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
    work=$(mktemp -d)
    # Expanded now: the variable is local.
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    rm -rf "$folder"/storectl[-_]* "$folder/container" "$folder/SHA256SUMS" "$folder/notes.md"
    check_program_version "$program"
    make_tarball
    make_debian_package
    make_container_context
    write_notes >"$folder/notes.md"
    (cd "$folder" && sha256sum storectl[-_]* >SHA256SUMS)
    printf 'release.sh: %s has:\n' "$folder"
    (cd "$folder" && find . -type f -printf '  %P\n' | sort)
}

# Fails unless program $1 prints the version of the package.
check_program_version() {
    local line
    line=$("$1" version | head -n 1)
    [ "$line" = "storectl $version" ] || fail "$1 is \"$line\", not \"storectl $version\"."
}

# Prints the libraries that program $1 loads, without those of the C library, which every system has.
loaded_libraries() {
    ! ldd "$1" | grep 'not found' >&2 || fail "$1 needs the libraries above, which are not installed."
    ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
        grep -vE '/(libc|libm|libmvec|libdl|librt|libpthread|libresolv|libutil|libanl|libnss_[a-z]+)\.so'
}

# Prints the Debian package that file $1 belongs to; nothing if there is none.
owning_package() {
    local path
    path=$(realpath "$1")
    # Packages from before the merge of /lib and /usr/lib name their files in /lib.
    (dpkg --search "$path" "${path#/usr}" 2>/dev/null || true) | sed -n '1s/:.*//p'
}

# Copies library $1 to folder $2, where it finds the other libraries of the folder.
copy_library() {
    mkdir -p "$2"
    install -m 644 "$(realpath "$1")" "$2/$(basename "$1")"
    strip --strip-unneeded "$2/$(basename "$1")"
    # shellcheck disable=SC2016
    patchelf --force-rpath --set-rpath '$ORIGIN' "$2/$(basename "$1")"
}

# Copies the program without debugging symbols to file $1; it looks for libraries in folder $2, or in the system's without $2.
copy_program() {
    install -D -m 755 "$program" "$1"
    strip --strip-unneeded --remove-section=.comment "$1"
    if [ -n "${2:-}" ]; then patchelf --force-rpath --set-rpath "$2" "$1"; else patchelf --remove-rpath "$1"; fi
}

# Writes the completions and the man pages below the folder `share` $1.
write_share() {
    local page
    mkdir -p "$1/bash-completion/completions" "$1/zsh/$2" "$1/fish/vendor_completions.d" "$1/man/man1"
    "$program" completion bash >"$1/bash-completion/completions/storectl"
    "$program" completion zsh >"$1/zsh/$2/_storectl"
    "$program" completion fish >"$1/fish/vendor_completions.d/storectl.fish"
    # The pages have the date of SOURCE_DATE_EPOCH.
    "$program" man "$work/man" >/dev/null
    for page in "$work/man"/*.1; do
        gzip -9nc "$page" >"$1/man/man1/${page##*/}.gz"
    done
}

# Writes storectl-VERSION-linux-ARCHITECTURE.tar.gz: a folder that works anywhere, with the libraries that the program loads.
make_tarball() {
    local name root library owner_name
    name=storectl-$version-linux-$architecture
    root=$work/$name
    # shellcheck disable=SC2016
    copy_program "$root/bin/storectl" '$ORIGIN/../lib'
    write_share "$root/share" site-functions
    install -D -m 644 LICENSE "$root/share/doc/storectl/LICENSE"
    install -m 644 CHANGELOG.md "$root/share/doc/storectl/CHANGELOG.md"
    for library in $(loaded_libraries "$program"); do
        copy_library "$library" "$root/lib"
        owner_name=$(owning_package "$library")
        [ -z "$owner_name" ] ||
            install -D -m 644 "/usr/share/doc/$owner_name/copyright" "$root/share/doc/storectl/licenses/$owner_name"
    done
    # The program contains Swift's runtime, or loads it.
    install -D -m 644 "$(toolchain)/share/swift/LICENSE.txt" "$root/share/doc/storectl/licenses/swift"
    check_program_version "$root/bin/storectl"
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
        gzip "-${compression}n" >"$folder/$name.tar.gz"
}

# Writes storectl_VERSION_ARCHITECTURE.deb, which depends on the Debian packages of the libraries that the program loads.
make_debian_package() {
    local root=$work/debian/storectl library private=
    for library in $(loaded_libraries "$program"); do
        [ -z "$(owning_package "$library")" ] || continue
        # Swift's runtime, if the program isn't linked with it statically.
        copy_library "$library" "$root/usr/lib/storectl"
        private=/usr/lib/storectl
    done
    copy_program "$root/usr/bin/storectl" "$private"
    write_share "$root/usr/share" vendor-completions
    write_debian_documents "$root/usr/share/doc/storectl"
    mkdir -p "$root/DEBIAN"
    write_debian_control "$root" >"$root/DEBIAN/control"
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    find "$root" -type d -exec chmod 755 {} +
    dpkg-deb --root-owner-group -Zxz "-z$compression" --build "$root" "$folder/storectl_${version}_$architecture.deb" >/dev/null
}

# Writes the control file of the package in folder $1.
write_debian_control() {
    cat <<CONTROL
Package: storectl
Version: $version
Section: database
Priority: optional
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$1/usr" | cut -f 1)
Depends: $(debian_dependencies "$1")
Homepage: $(repository_address)
Description: administers stores of objects in SQLite files and on PostgreSQL servers
 Inspects, queries, checks, repairs, copies, exports, backs up and migrates
 stores of programs that use the Swift library ContextCore. Every store
 contains its model, so no program is needed.
CONTROL
}

# Prints the dependencies of the package in folder $1, with the versions that dpkg-shlibdeps finds necessary.
debian_dependencies() {
    local files
    mkdir -p "$work/debian/debian"
    printf 'Source: storectl\n\nPackage: storectl\nArchitecture: any\n' >"$work/debian/debian/control"
    mapfile -t files < <(find "$1/usr/bin" "$1/usr/lib" -type f 2>/dev/null)
    # The private libraries have no package, so there is no information about them.
    (cd "$work/debian" && dpkg-shlibdeps -O --ignore-missing-info -l"$1/usr/lib/storectl" "${files[@]/#/-e}" 2>"$work/shlibdeps.log") |
        sed 's/^shlibs:Depends=//' | grep . || fail "dpkg-shlibdeps found no dependencies: $(cat "$work/shlibdeps.log")"
}

# Writes the documents that Debian's policy demands to folder $1.
write_debian_documents() {
    mkdir -p "$1"
    {
        printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: %s\n\n' "$(repository_address)"
        printf 'Files: *\nCopyright: %s the contributors of ContextCore\nLicense: Apache-2.0\n' \
            "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y)"
        printf ' On Debian systems, the text of the license is in /usr/share/common-licenses/Apache-2.0.\n'
        printf ' The program contains the runtime libraries of Swift, which have the same license, with the Runtime\n'
        printf ' Library Exception: https://swift.org/LICENSE.txt.\n'
    } >"$1/copyright"
    {
        printf 'storectl (%s) unstable; urgency=medium\n\n  * Release %s: see CHANGELOG.md.gz.\n\n' "$version" "$version"
        printf -- ' -- %s  %s\n' "$maintainer" "$(date -u -d "@$SOURCE_DATE_EPOCH" '+%a, %d %b %Y %H:%M:%S +0000')"
    } | gzip -9n >"$1/changelog.gz"
    gzip -9n <CHANGELOG.md >"$1/CHANGELOG.md.gz"
}

# Writes the context of the container image: `docker build container`. The image has the system that the program was built on.
make_container_context() {
    local system
    system=$(. /etc/os-release && echo "$ID:${VERSION_CODENAME:-$VERSION_ID}")
    [[ $system != debian:* ]] || system+=-slim
    mkdir -p "$folder/container"
    cp "$folder/storectl_${version}_$architecture.deb" "$folder/container"
    sed "s|@SYSTEM@|$system|; s|@VERSION@|$version|; s|@REPOSITORY@|$(repository_address)|" \
        scripts/support/storectl.Dockerfile >"$folder/container/Dockerfile"
}

# Prints the section of the change log for the version.
write_notes() {
    awk -v heading="## $version" 'index($0, heading) == 1 { found = 1; next } found && /^## / { exit } found' CHANGELOG.md
}

# Prints the address of the repository, as `storectl new` writes it.
repository_address() {
    sed -n 's/.*static let url = "\([^"]*\)".*/\1/p' Sources/StoreAdmin/NewPackage/PackageDependency.swift
}
