# Huawei's Ascend processors: kernels without compiled code. Torch calls the device `npu`, and so
# does the public client where it looks for such a variant.
_: {
  systems = [
    "aarch64-linux"
    "x86_64-linux"
  ];
  preference = 8;
  isPresent = "[ -e /dev/davinci_manager ]";
}
