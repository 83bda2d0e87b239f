# Huawei's Ascend processors: kernels without compiled code. Torch and the public client call the device `npu`.
_: {
  systems = [ "aarch64-linux" "x86_64-linux" ];
  preference = 8;
  aliases = [ "ascend" "npu" ];
  isPresent = "[ -e /dev/davinci_manager ]";
}
