# [kernel.NAME], of which a kernel has any number.
{ backends }:
let
  inherit (import ./key.nix)
    architectures
    capabilities
    cxxFlags
    include
    section
    ;
in
section {
  meaning = "One component: sources of one backend that share their flags.";
  keys = {
    inherit include;
    backend = {
      type = "string";
      required = true;
      allowed = backends;
      since = 2;
      meaning = "Backend that the component is for.";
    };
    depends = {
      type = "strings";
      required = true;
      meaning = "Libraries whose headers the component uses, by the names that kernel-builder knows.";
    };
    src = {
      type = "strings";
      required = true;
      meaning = "Sources and headers, relative to the kernel's root.";
    };
    cxx-flags = cxxFlags;
    cuda-capabilities = capabilities // {
      backends = [ "cuda" ];
      meaning = "CUDA capabilities to compile for; when absent, the default list of the toolkit.";
    };
    cuda-flags = {
      type = "strings";
      default = [ ];
      backends = [ "cuda" ];
      since = 2;
      meaning = "Additional flags of nvcc.";
    };
    cuda-minver = {
      type = "version";
      backends = [ "cuda" ];
      since = 2;
      meaning = "Oldest CUDA toolkit that builds this component; variants with an older one leave it out.";
    };
    rocm-archs = architectures // {
      backends = [ "rocm" ];
      meaning = "ROCm architectures to compile for; when absent, the default list.";
    };
    hip-flags = {
      type = "strings";
      default = [ ];
      backends = [ "rocm" ];
      since = 2;
      meaning = "Additional flags of the HIP compiler.";
    };
    sycl-flags = {
      type = "strings";
      default = [ ];
      backends = [ "xpu" ];
      since = 2;
      meaning = "Additional flags of the SYCL compiler.";
    };
  };
}
