# shellcheck shell=bash disable=SC2016  # apt replaces the names itself
# Mirrors, indexes and certificates of this machine, read each time. Sourced by other scripts.

# apt with lists of its own, so that it can be asked on a machine that has none, and nothing of the machine changes.
apt_aside() {
  local folder=$1
  shift
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  # apt fetches as root, because its own user may not reach a folder of root's.
  apt-get -o Dir::State::Lists="$folder/lists" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root "$@"
}

# debian_mirror FOLDER: where apt gets Debian's own packages from. A list is what says that a mirror is one of Debian.
debian_mirror() {
  local format='$(CREATED_BY) $(LABEL) $(SITE)' mirror
  mirror=$(apt-get -o Dir::Cache="$1/cache" indextargets --format "$format" 2>/dev/null | awk '/^Packages Debian / { print $3; exit }')
  if [ -z "$mirror" ]; then
    apt_aside "$1" -qq update >"$1/update.log" 2>&1 || true
    mirror=$(apt_aside "$1" indextargets --format "$format" 2>/dev/null | awk '/^Packages Debian / { print $3; exit }')
  fi
  echo "$mirror"
}

certificates() { echo "${PIP_CERT:-${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}}"; }

# pip's files of settings: those of the machine, and that of the user.
pip_files_of_machine() { printf '%s\n' /etc/pip.conf /etc/xdg/pip/pip.conf ${PIP_CONFIG_FILE:+"$PIP_CONFIG_FILE"}; }
pip_file_of_user() { echo "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf"; }
# The constraint files that pip's settings name, one a line. Settings that are missing name none.
pip_constraints() {
  local file
  pip_files_of_machine | while read -r file; do [ ! -e "$file" ] || sed -nE 's/^constraint *= *//p' "$file"; done | xargs -r -n 1
}

# Folders that pip takes packages from; an index may point to its neighbours, hence the parent.
pip_folders() {
  local path
  { { pip_files_of_machine; pip_file_of_user; } | xargs -d '\n' cat; env | grep '^PIP_'; } 2>/dev/null |
    grep -oE "/[^ ,'\"=]+" | sed 's|^/*|/|' | while read -r path; do
    [ ! -d "$path" ] || dirname "$path"
  done | grep -vx / | sort -u
}
