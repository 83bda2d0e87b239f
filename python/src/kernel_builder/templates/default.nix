# The templates as `nix flake init` takes them: with the names that they were written with.
# `kernel-builder init` fills in a name and leaves out backends.
let
  templates = {
    kernel = {
      path = ./kernel;
      description = "A kernel in C++, CUDA, SYCL or Metal, for every backend";
    };
    stable-abi = {
      path = ./stable-abi;
      description = "A kernel on Torch's stable ABI: one build for many versions of Torch";
    };
    triton = { path = ./triton; description = "A kernel in Triton: nothing to compile"; };
  };
in
templates // { default = templates.kernel; }
