# [torch], [torch-noarch] and [tvm-ffi].
import ../shared/relu.nix {
  missing.torch = null;
  two-frameworks = { kernel = null; torch-noarch = { }; };
  noarch-with-components = { torch = null; torch-noarch = { }; };
  tvm-ffi = {
    torch = null;
    kernel.a.depends = [ "tvm-fi" ];
    tvm-ffi.src = [ "relu_cpu/relu.h" ];
    tvm-ffi.minver = "0.1";
  };
  version-number.torch.minver = 2.10;
  version-word.torch.minver = "latest";
  bounds = { torch.minver = "2.12"; torch.maxver = "2.11"; };
  key-unknown.torch.sorce = 1;
  headers.torch.headers = "leen";
  ending-with-dot.torch.pyext = [ "py" ".json" ];
  stable-abi-type.torch.stable-abi = true;
  stable-abi-backend.torch.stable-abi.gpu = "2.11";
}
