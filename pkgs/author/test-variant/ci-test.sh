# Runs the tests with the marker `kernels_ci` on one built variant; arguments go to pytest. install.sh puts variables before it.
#
# Tests get nothing of the caller's environment but what selects devices and cores, and describes the terminal.
kept="COLUMNS CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES NO_COLOR NVIDIA_VISIBLE_DEVICES OMP_NUM_THREADS ONEAPI_DEVICE_SELECTOR
  ROCR_VISIBLE_DEVICES TERM ZE_AFFINITY_MASK"
nothing_selected=5

PATH=$path
if [ ! -d "$tests" ]; then
  echo "ci-test: $variant: the kernel has no folder \`tests\`" >&2
  exit
fi
home=$(mktemp -d "${TMPDIR:-/tmp}/ci-test-XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 130' INT TERM
ln -s "$tests" "$home/tests"
# pytest looks for settings in the folders above, and others can write to TMPDIR.
echo "[pytest]" >"$home/pytest.ini"

# -P: modules in the current folder are not imported.
set -- python3 -P "$run_pytest" "$home" -m kernels_ci -p no:cacheprovider --rootdir "$home" "$@" "$home/tests"
# The caller may add local builds of other kernels. The last entry of a repository counts.
local_kernels=${LOCAL_KERNELS:-}${LOCAL_KERNELS:+${local_kernels:+:}}$local_kernels
[ -z "$local_kernels" ] || set -- "LOCAL_KERNELS=$local_kernels" "$@"
for name in $kept; do
  eval "[ -z \"\${$name+set}\" ] || set -- \"$name=\$$name\" \"\$@\""
done
echo "ci-test: $variant" >&2
status=0
env -i HOME="$home" TMPDIR="$home" PATH="$path" LANG=C.UTF-8 HF_HUB_OFFLINE=1 PYTHONDONTWRITEBYTECODE=1 "$@" || status=$?
if [ "$status" = "$nothing_selected" ]; then
  echo "ci-test: no test is marked kernels_ci; nothing was tested" >&2
  exit 0
fi
exit "$status"
