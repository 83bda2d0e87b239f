# Apple GPUs. `.metal` files become one library of shaders, which the extension embeds.
_:
let
  inherit (import ./cxx.nix) language;

  c =
    flags:
    language {
      compiler = "clang";
      standard = _: "gnu17";
      inherit flags;
    };
  cxx =
    flags:
    language {
      compiler = "clang++";
      standard = year: "gnu++${year}";
      inherit flags;
    };
in
{
  systems = [ "aarch64-darwin" ];
  host = "developer.apple.com";
  preference = 4;
  compute = "metal";
  isPresent = "[ \"$(uname -s)\" = Darwin ]";
  definitions = [ "METAL_KERNEL" ];
  languages = {
    c = c [ ];
    cc = cxx [ ];
    cpp = cxx [ ];
    cxx = cxx [ ];
    m = c [ "-fobjc-arc" ];
    metal = language {
      compiler = "metal";
      standard = _: "metal4.0";
    };
    mm = cxx [
      "-x"
      "objective-c++"
      "-fobjc-arc"
    ];
  };
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
