#!/usr/bin/env bash
# Checks the site that 'scripts/docs.sh --site FOLDER' made: every link, and the layout of its kinds of pages in headless Chromium, on
# a phone and on a desktop, light and dark. First it checks the check, with planted mistakes.
#
#   scripts/check-site.sh FOLDER [--base PATH] [--pictures FOLDER]
#
# PATH is the one given to docs.sh. --pictures writes a picture of each view, for people to look at.
set -euo pipefail
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/support/common.sh

[ $# -ge 1 ] || fail "which folder? See the first lines of this script."
install_missing python chromium
check=$PWD/scripts/support/site/check.py
export PYTHONDONTWRITEBYTECODE=1
step "Planted mistakes"
python3 "$check" --self-test
step "The site"
cd "$caller" && python3 "$check" "$@"
