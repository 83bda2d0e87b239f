#!/usr/bin/env bash
# borrow.sh FOLDER PACKAGE…: unpacks Debian packages, with what they need and this machine lacks, into FOLDER. Nothing is installed.
set -euo pipefail
# shellcheck source=tests/machines/this-machine.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/this-machine.sh"

folder=$1
shift
apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
download() { apt_aside "$apt" -y --download-only --no-install-recommends install "$@"; }

apt_aside "$apt" -qq update
download "$@"
mkdir -p "$folder"
for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$folder"; done
