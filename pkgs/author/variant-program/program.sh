# Runs a folder of the kernel on one built variant; arguments go to the runner. install.sh puts variables before it.
#
# The kernel's files get nothing of the caller's environment but what selects devices and cores, and describes the
# terminal.
kept="COLUMNS CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES NO_COLOR NVIDIA_VISIBLE_DEVICES OMP_NUM_THREADS ONEAPI_DEVICE_SELECTOR
  ROCR_VISIBLE_DEVICES TERM ZE_AFFINITY_MASK"

PATH=$path
if [ ! -d "$share/$folder" ]; then
  echo "$program: $variant: the kernel has no folder \`$folder\`" >&2
  exit
fi
home=$(mktemp -d "${TMPDIR:-/tmp}/$program-XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 130' INT TERM
ln -s "$share/$folder" "$home/$folder"

# -P: modules in the current folder are not imported.
set -- python3 -P "$runner" "$home" "$share/local" "$@"
# The caller may add local builds of other kernels. The last entry of a repository counts.
local_kernels=${LOCAL_KERNELS:-}${LOCAL_KERNELS:+${local_kernels:+:}}$local_kernels
[ -z "$local_kernels" ] || set -- "LOCAL_KERNELS=$local_kernels" "$@"
for name in $kept; do
  eval "[ -z \"\${$name+set}\" ] || set -- \"$name=\$$name\" \"\$@\""
done
echo "$program: $variant" >&2
status=0
env -i HOME="$home" TMPDIR="$home" PATH="$path" LANG=C.UTF-8 HF_HUB_OFFLINE=1 PYTHONDONTWRITEBYTECODE=1 "$@" || status=$?
# The check of the operators ran in the sandbox, and says the same each time.
[ -z "$findings" ] || cat "$findings" >&2
exit "$status"
