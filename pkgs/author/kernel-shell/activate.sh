# Sourced by bash, with the settings above. Changes variables of this shell only, and enters the kernel's virtual
# environment, unless there is a `.venv` that somebody else made.
# shellcheck shell=bash disable=SC2154

# The kernel that this shell is entered in: the folder above with a build.toml, or nothing.
kernel_builder_find_kernel() {
  local folder=$PWD
  while [ -n "$folder" ] && [ ! -e "$folder/build.toml" ]; do
    folder=${folder%/*}
  done
  printf '%s' "$folder"
}

kernel_builder_enter_venv() {
  local venv
  venv=$("$BASH" "$kernel_builder_make_venv" "$1" "$kernel_builder_environment" "$kernel_builder_label") || return
  export VIRTUAL_ENV=$venv
  PATH=$venv/bin:$PATH
  unset PYTHONHOME
}

# The public client takes local builds for the repositories of this kernel and of those that it
# depends on. What comes last counts.
kernel_builder_offer_local() {
  local entry build=$kernel_builder_files/local
  if [ -z "$kernel_builder_built" ]; then
    build=$1
  fi
  if [ -z "$kernel_builder_repository" ] || [ -z "$build" ]; then
    build=
  fi
  for entry in "$kernel_builder_local_kernels" "${build:+$kernel_builder_repository=$build}"; do
    if [ -n "$entry" ]; then
      export LOCAL_KERNELS=${LOCAL_KERNELS:+$LOCAL_KERNELS:}$entry
    fi
  done
}

# Triton asks `ldconfig` where the driver is, or this variable. The folder holds the driver
# alone, so that nothing else of the machine is linked.
kernel_builder_find_driver() {
  local folder place=${XDG_CACHE_HOME:-$HOME/.cache}/kernel-builder/driver
  if [ -n "${TRITON_LIBCUDA_PATH:-}" ]; then
    return
  fi
  for folder in /run/opengl-driver/lib /usr/lib/wsl/lib /usr/lib/*-linux-gnu /usr/lib64 /usr/lib; do
    if [ -e "$folder/libcuda.so.1" ]; then
      mkdir -p "$place" &&
        ln -sfn "$folder/libcuda.so.1" "$place/libcuda.so.1" &&
        ln -sfn libcuda.so.1 "$place/libcuda.so" &&
        export TRITON_LIBCUDA_PATH=$place
      return
    fi
  done
}

kernel_builder_activate() {
  local kernel variable
  while IFS= read -r variable; do
    export "${variable?}"
  done <"$kernel_builder_files/variables"
  kernel=$(kernel_builder_find_kernel)
  export PATH=$kernel_builder_tools:$PATH
  if [ -n "$kernel_builder_notice" ]; then
    echo "$kernel_builder_notice" >&2
  fi
  if [ -n "$kernel_builder_make_venv" ] && [ -n "$kernel" ]; then
    kernel_builder_enter_venv "$kernel"
  fi
  kernel_builder_offer_local "$kernel"
  kernel_builder_find_driver
  if [ -n "${PS1:-}" ]; then
    PS1="($kernel_builder_label) $PS1"
  fi
}

kernel_builder_activate
unset "${!kernel_builder_@}"
unset -f kernel_builder_find_kernel kernel_builder_enter_venv kernel_builder_offer_local \
  kernel_builder_find_driver kernel_builder_activate
