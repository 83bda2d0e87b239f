# An overlay with a Torch for the newer Python in place of the one for the processor. Registries have none for the
# processor alone, so it is one for CUDA, with stand-ins for what that loads.
final: previous:
let
  build = "2.13.0+cpu";
in
{
  torchPins = previous.torchPins // {
    ${build}.${final.system} = {
      file = "torch-2.13.0-cp313-cp313-manylinux_2_28_x86_64.whl";
      sha256 = "a3a9a21312872af8a26950b2c15680335a386a1f56ed03e780653d78b9607e9e";
      version = "2.13.0";
    };
  };
  torchWheel =
    asked:
    let
      torch = previous.torchWheel asked;
      standIns = final.libraryStandIns {
        inherit torch;
        runtime = (previous.torchWheel "2.13.0+cu130").companions.nvidia-cuda-runtime;
        packages = [ ];
      };
    in
    if asked == build then torch // { depends = torch.modules ++ [ standIns ]; } else torch;
}
