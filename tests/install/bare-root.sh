# Bare Debian 12 machines: made by debootstrap in a folder, entered as the root of the file system. Sourced by bare-machine.sh and
# by the measurement of the README's first command.
# The mirror, certificates and pip settings are those of this machine, taken when the test runs. Nothing of this machine is changed.
# shellcheck shell=bash disable=SC2154,SC2016,SC2034

# Says why no such machine can be made here; nothing if one can.
bare_obstacle() {
  [ "$(id -u)" = 0 ] || { echo "it needs root"; return; }
  type -P debootstrap >/dev/null || { echo "there is no debootstrap (apt-get install debootstrap)"; return; }
  unshare --mount --pid --fork true 2>/dev/null || { echo "this machine lets nobody make mount namespaces"; return; }
  [ -n "$(bookworm_mirror)" ] || echo "this machine's apt sources have no bookworm"
}

bookworm_mirror() {
  apt-get indextargets --format '$(SITE) $(CODENAME) $(CREATED_BY)' 2>/dev/null |
    awk '$2 == "bookworm" && $3 == "Packages" { print $1; exit }'
}

# Folders that pip takes packages from; an index may point to its neighbours, hence the parent.
pip_folders() {
  local path
  { pip config list; env | grep '^PIP_'; } 2>/dev/null | grep -oE "/[^ ,'\"=]+" | sed 's|^/*|/|' | while read -r path; do
    [ ! -d "$path" ] || dirname "$path"
  done | grep -vx / | sort -u
}

make_base() {
  base=$work/base
  nice debootstrap --variant=minbase bookworm "$base" "$mirror" >"$work/debootstrap.log" 2>&1 || {
    tail -n 5 "$work/debootstrap.log"
    skip "debootstrap could not make a Debian 12"
  }
  # As in Debian's container images: no lists.
  rm -rf "$base"/var/lib/apt/lists/*
  cp /etc/resolv.conf "$base/etc/"
  apt-config dump | grep '^Acquire::' >"$base/etc/apt/apt.conf.d/99machine"
  cp "${PIP_CERT:-${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}}" "$base/etc/machine-ca.crt"
  for folder in root etc/skel; do
    mkdir -p "$base/$folder/.config/pip"
    [ ! -e "$HOME/.config/pip/pip.conf" ] || cp "$HOME/.config/pip/pip.conf" "$base/$folder/.config/pip/"
  done
  [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$base/etc/"
  mkdir -p "$base/src/python"
  cp -r "$repository/install.sh" "$repository/install" "$base/src"
  cp -r "$repository/python/bin" "$repository/python/src" "$base/src/python"
}

# inside MACHINE SCRIPT: sets `said` and `code`. A user of the machine is played by: as alice COMMAND.
inside() {
  local machine=$1 script=$2
  said=$(BIND=$(pip_folders) "$repository/tests/install/enter-root.sh" "$work/$machine" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin CI=true PIP_CERT=/etc/machine-ca.crt \
    bash -c 'export HOME; HOME=~root; as() { su "$1" -s /bin/bash -c "PATH=/usr/local/bin:/usr/bin:/bin; $2"; }'"
$script" </dev/null 2>&1)
  code=$?
}

