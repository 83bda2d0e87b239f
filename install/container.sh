#!/usr/bin/env -S bash -p
# The container runs this script. It builds the kernel mounted at /kernelcode into its build/, for the owner of that folder.
#   docker run --rm -v "$PWD":/kernelcode kernel-builder:dev [OPTION…]         options of `kernel-builder build-and-copy`
#   docker run --rm -v "$PWD":/kernelcode kernel-builder:dev COMMAND [WORD…]   any other command of kernel-builder
# MAX_JOBS: how many builds run at once, CORES: the cores of each. Without them, as many as the container's cores and memory allow.
set -euo pipefail
kernel=${KERNEL_FOLDER:-/kernelcode}

# fail HEADLINE AT FOUND WANT FIX
fail() {
  printf 'error: %s\n\n       at     %s\n       found  %s\n       want   %s\n       fix    %s\n' "$@" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || fail "the store belongs to root" "docker run --user" "user $(id -u)" "root, in the container" \
  "leave --user out: what is made belongs to whom the mounted folder belongs"

limits=()
# limit VARIABLE OPTION: what a variable says, as an option.
limit() {
  local value=${!1-}
  [ -n "$value" ] || return 0
  [[ $value =~ ^[1-9][0-9]*$ ]] || fail "$1 is no number" "docker run -e $1=…" "$value" "a number from 1 on" "correct it, or leave it out"
  limits+=("$2" "$value")
}
limit MAX_JOBS --max-jobs
limit CORES --cores

# Only who starts a container gives it the right to make a sandbox.
# shellcheck disable=SC2016  # the shell in the sandbox replaces it
look='derivation { name = "look"; system = builtins.currentSystem; builder = "/bin/sh"; args = [ "-c" "echo > $out" ];'
if nix-build --no-out-link --option sandbox true --option sandbox-fallback false -E "$look now = \"$(date +%s%N)\"; }" >/dev/null 2>&1; then
  export NIX_CONFIG="${NIX_CONFIG-}"$'\n'"sandbox = true"
else
  echo "no sandbox: builds see the files of this container; with docker run --privileged they would not" >&2
fi

# ---- what is mounted belongs to somebody else, who is to own what is made ----

has_result=no
[ ! -L "$kernel/result" ] || has_result=yes
started=@$(date +%s)
# shellcheck disable=SC2317  # the trap calls it
give_back() {
  # It leads into the container.
  if [ "$has_result" = no ] && [ -L "$kernel/result" ]; then rm "$kernel/result"; fi
  find "$kernel" -user "$EUID" -newerct "$started" -exec chown -h --reference="$kernel" {} +
}
cd "$kernel"
git config --global --add safe.directory '*'
trap give_back EXIT

case ${1-} in
  '' | -*)
    [ -e build.toml ] || fail "there is no kernel to build" "$kernel" "no build.toml" "a kernel's folder" "mount it: docker run --rm -v \"\$PWD\":/kernelcode …"
    kernel-builder build-and-copy ${limits+"${limits[@]}"} "$@"
    ;;
  *) kernel-builder "$@" ;;
esac
