# The framework sections. A kernel has exactly one of them.
{ backends, declareSection }:
let
  inherit (builtins) attrValues foldl' replaceStrings;
  inherit (import ./key.nix) cxxFlags include pyext targetsKey;

  keysOf =
    backend:
    targetsKey backend (targets: { since = 5; meaning = targets.noarchMeaning; });
in
{
  torch = declareSection {
    meaning = "A Torch extension: its bindings and how they are compiled.";
    keys = {
      inherit include pyext;
      src = {
        type = "strings";
        required = true;
        meaning = "Sources and headers of the Torch bindings, relative to the kernel's root.";
      };
      minver = {
        type = "version";
        since = 2;
        meaning = "Oldest Torch to build for, itself included.";
      };
      maxver = {
        type = "version";
        since = 2;
        meaning = "Newest Torch to build for, itself included; \"2.12\" admits 2.12.1.";
      };
      stable-abi = {
        type = "releasePerBackend";
        since = 4;
        meaning = "Build against Torch's stable ABI of this version, one variant per toolkit; or a table from backend to version.";
      };
      cxx-flags = cxxFlags // { since = 5; };
      headers = {
        type = "string";
        allowed = [ "full" "lean" ];
        since = 5;
        meaning = "Compile with `lean` umbrella headers or with Torch's `full` ones; when absent, the builder takes what is proven safe.";
      };
    };
  };

  torch-noarch = declareSection {
    meaning = "A kernel without compiled code, such as a Triton kernel.";
    since = 4;
    keys = {
      pyext = pyext // { since = 5; };
    }
    // foldl' (keys: backend: keys // keysOf backend) { } (attrValues backends);
  };

  tvm-ffi = declareSection {
    meaning = "A TVM FFI extension: its bindings and how they are compiled. One build serves every Torch.";
    since = 3;
    keys = {
      inherit include;
      pyext = pyext // {
        meaning = replaceStrings [ "torch-ext" ] [ "tvm-ffi-ext" ] pyext.meaning;
      };
      src = {
        type = "strings";
        required = true;
        meaning = "Sources and headers of the TVM FFI bindings, relative to the kernel's root.";
      };
      cxx-flags = cxxFlags // { since = 4; };
    };
  };
}
