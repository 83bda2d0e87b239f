#!/usr/bin/env bash
# copy-checkout.sh FOLDER: a clone of this checkout in FOLDER, with what has changed since the last commit. It is the caller's own.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."

folder=$1
changes=$(mktemp)
trap 'rm -f "$changes"' EXIT
# A checkout that another user owns is one that git refuses to read.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
git clone --quiet --no-hardlinks . "$folder"
git diff --binary HEAD >"$changes"
[ ! -s "$changes" ] || git -C "$folder" apply --index "$changes"
git ls-files -z --others --exclude-standard | xargs -0r cp --parents -at "$folder"
git -C "$folder" add --all
chown -R "$(id -u):$(id -g)" "$folder"
