# Apple GPUs. `.metal` files become one library of shaders, which the extension embeds.
let
  cxx = {
    compiler = "clang++";
    standard = "gnu++";
    flags = [ ];
    packages = [ ];
  };
in
{
  definitions = [ "METAL_KERNEL" ];
  packages = [ ];
  languages = {
    c = cxx // {
      compiler = "clang";
      standard = "gnu";
    };
    cc = cxx;
    cpp = cxx;
    cxx = cxx;
    m = cxx // {
      compiler = "clang";
      standard = "gnu";
      flags = [ "-fobjc-arc" ];
    };
    metal = {
      compiler = "metal";
      standard = "metal";
      flags = [ ];
      packages = [ ];
    };
    mm = cxx // {
      flags = [
        "-x"
        "objective-c++"
        "-fobjc-arc"
      ];
    };
  };
  targetFlags = _: [ ];
  libraries = [
    "torch_cpu"
    "torch"
    "c10"
  ];
  linker = {
    program = "clang++";
    flags = [
      "-undefined"
      "dynamic_lookup"
      "-framework"
      "Foundation"
      "-framework"
      "Metal"
    ];
  };
}
