{ plan, ... }:
let
  folder = ../kernels/made/torch-ext;
in
{
  isGenerated.byTheMark = [
    (map plan.generated.isGenerated [ (folder + "/registration.h") (folder + "/binding.cpp") ])
    [ true false ]
  ];
}
